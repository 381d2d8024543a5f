#include "nod_screen.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include <esp_pm.h>

#include "esphome/components/json/json_util.h"
#include "esphome/components/network/util.h"
#include "esphome/core/application.h"
#include "esphome/core/hal.h"
#include "esphome/core/log.h"

namespace esphome::nod_screen {

static const char *const TAG = "nod_screen";

static const uint32_t DRAW_MS = 20;    // then others may have the loop
static const uint32_t DARK_LOOP = 50;  // a click is longer than that

void NodScreen::setup() {
  for (int i = 0; i < 3; i++) {
    if (this->buttons_[i].sensor != nullptr)
      this->buttons_[i].sensor->add_on_state_callback([this, i](bool down) { this->press_(i, down); });
  }
  this->lose_();
  if (!this->link_.start())
    this->mark_failed();
}

void NodScreen::loop() {
  this->link_.online = network::is_connected();
  const uint32_t began = millis();
  while (millis() - began < DRAW_MS) {
    const size_t length = this->link_.receive(this->record_, sizeof(this->record_));
    if (length == 0)
      break;
    this->take_(this->record_, length);
  }
  for (int i = 0; i < 3; i++) {
    Button &b = this->buttons_[i];
    if (b.down && !b.held && millis() - b.since >= this->hold_ms_) {
      b.held = true;
      this->tell_(i, "hold", b.frame);
    }
  }
  if (this->dim_ && !this->dark_ && this->sleep_after_ > 0 && millis() - this->dim_since_ >= this->sleep_after_)
    this->doze_();
}

void NodScreen::take_(const uint8_t *record, size_t length) {
  switch (record[0]) {
    case Link::CONNECTED:
      this->connected_ = this->link_.send(this->hello_);
      break;
    case Link::LOST:
      this->lose_();
      break;
    case Link::TEXT:
      this->hear_(record + 1, length - 1);
      break;
    case Link::PICTURE:
      this->picture_.begin();
      [[fallthrough]];
    case Link::MORE:
      if (!this->link_.restart && !this->picture_.feed(record + 1, length - 1, *this)) {
        ESP_LOGE(TAG, "The hub sent a picture that does not fit");
        this->link_.restart = true;
      }
      break;
  }
}

void NodScreen::pixels(int x, int y, int w, int h, const uint8_t *data) {
  this->display_->draw_pixels_at(x, y, w, h, data, display::COLOR_ORDER_RGB, display::COLOR_BITNESS_565, true);
}

void NodScreen::hear_(const uint8_t *text, size_t length) {
  json::parse_json(text, length, [this](JsonObject note) -> bool {
    const std::string type = note["type"] | "";
    if (type == "welcome") {
      this->hold_ms_ = note["hold_ms"] | 1000;
      this->link_.silence_ms = 3000 * (note["beat_s"] | 15);
      this->shine_(100);
    } else if (type == "beep") {
      this->beep_(note["hz"] | 0, note["to"] | 0, note["ms"] | 100, note["times"] | 1);
    } else if (type == "dim") {
      this->shine_(note["level"] | 100);
    } else if (type == "error") {
      ESP_LOGW(TAG, "%s: %s", note["code"] | "", note["message"] | "");
    }
    return true;
  });
}

// Without a hub what is on the screen may be outdated: it stays readable, a strip over the
// buttons says so, and no button does anything. The next picture of the hub is a whole one.
void NodScreen::lose_() {
  this->connected_ = false;
  this->frame_ = 0;
  this->display_->update();
  if (!this->dark_)
    this->shine_(20);
}

void NodScreen::press_(int index, bool down) {
  Button &b = this->buttons_[index];
  if (down == b.down)
    return;
  if (down && this->dark_) {
    // Who cannot see what a button does only wants to see: it goes no further.
    this->shine_(this->connected_ ? 100 : 20);
    this->tell_(index, "up", 0);  // somebody is here
    return;
  }
  b.down = down;
  if (down) {
    b.since = millis();
    b.held = !this->connected_;  // then it says nothing later, either
    b.frame = this->frame_;
    this->tell_(index, "down", b.frame);
  } else {
    this->tell_(index, b.held ? "up" : "click", b.frame);
  }
}

void NodScreen::tell_(int index, const char *kind, uint32_t frame) {
  if (!this->connected_)
    return;
  char line[80];
  snprintf(line, sizeof(line), R"({"button":"%c","kind":"%s","frame":%u})", 'A' + index, kind, (unsigned) frame);
  this->link_.send(line);
}

// The nearest note that RTTTL knows: four octaves from C4.
static void append_note(std::string &song, int hz) {
  static const char *const NAMES[] = {"c", "c#", "d", "d#", "e", "f", "f#", "g", "g#", "a", "a#", "b"};
  const int steps = hz < 1 ? 0 : (int) lroundf(12 * log2f(hz / 261.63f));
  const int note = steps < 0 ? ((steps % 12) + 12) % 12 : std::min(steps, 47);
  song += NAMES[note % 12];
  song += std::to_string(4 + note / 12);
}

void NodScreen::beep_(int hz, int to, int ms, int times) {
  if (this->beeper_ == nullptr || hz <= 0)
    return;
  ms = std::clamp(to > 0 ? ms / 2 : ms, 10, 1000);
  // A 32nd is an eighth of a beat.
  std::string song = "nod:d=32,o=5,b=" + std::to_string(std::max(4, 7500 / ms)) + ":";
  for (int i = 0; i < std::clamp(times, 1, 5); i++) {
    if (i > 0)
      song += ",p,";
    append_note(song, hz);
    if (to > 0) {
      song += ",";
      append_note(song, to);
    }
  }
  this->beeper_->play(song);
}

static void allow_light_sleep(bool allow) {
#ifdef CONFIG_PM_ENABLE
  esp_pm_config_t config{};
  config.max_freq_mhz = CONFIG_ESP_DEFAULT_CPU_FREQ_MHZ;
  config.min_freq_mhz = allow ? 80 : CONFIG_ESP_DEFAULT_CPU_FREQ_MHZ;
  config.light_sleep_enable = allow;
  const esp_err_t err = esp_pm_configure(&config);
  if (err != ESP_OK) {
    ESP_LOGW(TAG, "Light sleep: %d", err);
  }
#endif
}

void NodScreen::shine_(int percent) {
  percent = std::clamp(percent, 0, 100);
  if (this->dark_) {
    this->dark_ = false;
    allow_light_sleep(false);
    App.set_loop_interval(16);
    this->link_.hasty = true;
  }
  const bool dim = percent < 50;
  if (dim && !this->dim_)
    this->dim_since_ = millis();
  this->dim_ = dim;
  if (this->backlight_ == nullptr)
    return;
  auto call = this->backlight_->turn_on();
  call.set_brightness(std::max(percent, 1) / 100.0f);
  call.set_transition_length(dim ? 1000 : 150);
  call.perform();
}

// doze_ turns the light off and lets the processor sleep between two looks at the
// buttons. The connection stays; a request or a press ends it.
void NodScreen::doze_() {
  this->dark_ = true;
  if (this->backlight_ != nullptr) {
    auto call = this->backlight_->turn_off();
    call.set_transition_length(0);
    call.perform();
  }
  this->link_.hasty = false;
  App.set_loop_interval(DARK_LOOP);
  allow_light_sleep(true);
}

void NodScreen::dump_config() {
  ESP_LOGCONFIG(TAG, "nod screen: %s://%s:%u%s", this->link_.secure ? "wss" : "ws", this->link_.host, this->link_.port,
                this->link_.path);
}

}  // namespace esphome::nod_screen
