#pragma once

#include "esphome/components/binary_sensor/binary_sensor.h"
#include "esphome/components/display/display.h"
#include "esphome/components/light/light_state.h"
#include "esphome/components/rtttl/rtttl.h"
#include "esphome/core/component.h"
#include "link.h"
#include "picture.h"

namespace esphome::nod_screen {

/// A screen that the hub draws, and three buttons. What a button means only the
/// hub knows: it is told which picture was on the screen when it was pressed.
class NodScreen : public Component, protected Canvas {
 public:
  NodScreen(display::Display *display, int width, int height)
      : display_(display), picture_(width, height) {}

  void set_hub(const char *host, uint16_t port, bool secure, const char *path) {
    this->link_.host = host;
    this->link_.port = port;
    this->link_.secure = secure;
    this->link_.path = path;
  }
  void set_headers(const char *headers) { this->link_.headers = headers; }
  void set_ca(const char *pem) { this->link_.ca = pem; }
  void set_hello(const char *hello) { this->hello_ = hello; }
  void set_backlight(light::LightState *light) { this->backlight_ = light; }
  void set_beeper(rtttl::Rtttl *beeper) { this->beeper_ = beeper; }
  void set_button(int index, binary_sensor::BinarySensor *sensor) { this->buttons_[index].sensor = sensor; }
  void set_sleep_after(uint32_t ms) { this->sleep_after_ = ms; }

  /// Whether something of the hub is on the screen, which stays readable without it.
  bool shown() const { return this->shown_; }

  void setup() override;
  void loop() override;
  void dump_config() override;
  float get_setup_priority() const override { return setup_priority::AFTER_WIFI; }

 protected:
  struct Button {
    binary_sensor::BinarySensor *sensor{nullptr};
    bool down{false};
    bool held{false};
    uint32_t since{0};
    uint32_t frame{0};  // what was on the screen when it went down
  };

  void pixels(int x, int y, int w, int h, const uint8_t *data) override;
  void complete(uint32_t frame) override {
    this->frame_ = frame;
    this->shown_ = true;
  }

  void take_(const uint8_t *record, size_t length);
  void hear_(const uint8_t *text, size_t length);
  void lose_();
  void press_(int index, bool down);
  void tell_(int index, const char *kind, uint32_t frame);
  void beep_(int hz, int to, int ms, int times);
  void shine_(int percent);
  void doze_();

  display::Display *display_;
  light::LightState *backlight_{nullptr};
  rtttl::Rtttl *beeper_{nullptr};
  const char *hello_{nullptr};
  Button buttons_[3];
  Link link_;
  Picture picture_;
  uint8_t record_[1 + Link::CHUNK];

  bool connected_{false};
  bool shown_{false};
  uint32_t frame_{0};  // the newest that is complete; 0: none
  uint32_t hold_ms_{1000};
  uint32_t sleep_after_{0};
  uint32_t dim_since_{0};
  bool dim_{false};
  bool dark_{false};
};

}  // namespace esphome::nod_screen
