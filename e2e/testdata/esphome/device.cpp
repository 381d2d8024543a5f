// A device without a screen: it tells what happens, line by line, and presses A
// on what it shows for every line that it reads.
#include "link.h"
#include "picture.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

using namespace esphome::nod_screen;

struct Teller : Canvas {
  uint32_t frame{0};
  size_t bytes{0};
  void pixels(int, int, int w, int h, const uint8_t *) override { this->bytes += size_t(2) * w * h; }
  void complete(uint32_t frame) override {
    this->frame = frame;
    printf("frame %u %zu\n", (unsigned) frame, this->bytes);
    this->bytes = 0;
  }
};

static Link link_;
static Picture picture(320, 240);
static std::atomic<int> presses{0};

int main(int, char **argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::string headers = std::string("Authorization: Bearer ") + argv[3] + "\r\n";
  link_.host = argv[1];
  link_.port = atoi(argv[2]);
  link_.path = "/v1/screen";
  link_.headers = headers.c_str();
  link_.online = true;
  std::thread([] {
    for (std::string line; std::getline(std::cin, line);)
      presses++;
    _Exit(0);
  }).detach();
  if (!link_.start())
    return 1;
  Teller teller;
  static uint8_t record[1 + Link::CHUNK];
  for (;;) {
    const size_t length = link_.receive(record, sizeof(record));
    if (presses > 0 && teller.frame > 0) {
      presses--;
      link_.send(("{\"button\":\"A\",\"kind\":\"click\",\"frame\":" + std::to_string(teller.frame) + "}").c_str());
    }
    if (length == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    switch (record[0]) {
      case Link::CONNECTED:
        puts("connected");
        link_.send(argv[4]);
        break;
      case Link::LOST:
        puts("lost");
        break;
      case Link::TEXT:
        printf("text %.*s\n", int(length) - 1, reinterpret_cast<char *>(record + 1));
        break;
      case Link::PICTURE:
        picture.begin();
        [[fallthrough]];
      case Link::MORE:
        if (!picture.feed(record + 1, length - 1, teller))
          puts("nonsense");
    }
  }
}
