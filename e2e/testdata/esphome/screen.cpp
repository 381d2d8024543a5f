// The device's screen without a network: the hub comes, goes and comes back, and buttons
// are pressed meanwhile. It tells what is on the panel and what was sent.
#include "nod_screen.h"

#include <cstring>
#include <deque>

using namespace esphome;
using namespace esphome::nod_screen;

static std::deque<std::vector<uint8_t>> incoming;
static uint32_t now = 1000;

namespace esphome {
uint32_t millis() { return now; }
namespace nod_screen {
bool Link::start() { return true; }
bool Link::send(const char *text) {
  printf("sent %s\n", text);
  return true;
}
size_t Link::receive(uint8_t *into, size_t) {
  if (incoming.empty())
    return 0;
  const auto record = incoming.front();
  incoming.pop_front();
  memcpy(into, record.data(), record.size());
  return record.size();
}
}  // namespace nod_screen
}  // namespace esphome

static NodScreen *hub;

// update does what the lambda of the configuration does; '!' is a pixel of the notice.
struct Panel : display::Display {
  std::vector<uint8_t> memory = std::vector<uint8_t>(320 * 240, '.');
  void draw_pixels_at(int x, int y, int w, int h, const uint8_t *data, display::ColorOrder, display::ColorBitness, bool) override {
    for (int row = 0; row < h; row++)
      for (int col = 0; col < w; col++)
        this->memory.at((y + row) * 320 + x + col) = data[2 * (row * w + col)];
  }
  void update() override {
    const int top = hub->shown() ? 198 : 0;
    for (size_t i = size_t(top) * 320; i < this->memory.size(); i++)
      this->memory[i] = '!';
  }
};

static void hear(Link::Kind kind, const std::vector<uint8_t> &bytes = {}) {
  std::vector<uint8_t> record{kind};
  record.insert(record.end(), bytes.begin(), bytes.end());
  incoming.push_back(record);
  hub->loop();
}

// picture sends a whole picture of one colour.
static void picture(uint8_t frame, uint8_t colour) {
  const uint32_t size = 320 * 240 * 2;
  std::vector<uint8_t> message{'N', 1, 3, 0, 0, 0, 0, frame, 0, 0, 0, 0, 1, 64, 0, 240, 0, uint8_t(size >> 16), uint8_t(size >> 8), uint8_t(size)};
  message.resize(message.size() + size, colour);
  for (size_t at = 0; at < message.size(); at += Link::CHUNK)
    hear(at == 0 ? Link::PICTURE : Link::MORE, {message.begin() + at, message.begin() + std::min(message.size(), at + Link::CHUNK)});
}

int main() {
  Panel panel;
  binary_sensor::BinarySensor button;
  NodScreen screen(&panel, 320, 240);
  hub = &screen;
  screen.set_hello("hello");
  screen.set_button(0, &button);
  const auto tell = [&](const char *when) { printf("%s: above %c, buttons %c\n", when, panel.memory[197 * 320], panel.memory[198 * 320]); };
  const auto press = [&](bool down) {
    now += 100;
    button.publish_state(down);
    screen.loop();
  };
  screen.setup();
  tell("at first");
  hear(Link::CONNECTED);
  picture(5, 'a');
  tell("with a hub");
  press(true);
  press(false);
  hear(Link::LOST);
  tell("without it");
  press(true);
  press(false);
  press(true);
  hear(Link::CONNECTED);
  now += 5000;
  press(false);
  picture(1, 'b');
  tell("it is back");
  press(true);
  press(false);
}
