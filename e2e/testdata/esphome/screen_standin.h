// What the screen takes from ESPHome, for a computer.
#pragma once

#include "standin.h"

#include <functional>
#include <string>
#include <vector>

#define ESP_LOGE(tag, ...) (fprintf(stderr, __VA_ARGS__), fprintf(stderr, "\n"))
#define ESP_LOGCONFIG(tag, ...) (fprintf(stderr, __VA_ARGS__), fprintf(stderr, "\n"))

namespace esphome {

namespace setup_priority {
constexpr float AFTER_WIFI = 200;
}

class Component {
 public:
  virtual ~Component() = default;
  virtual void setup() {}
  virtual void loop() {}
  virtual void dump_config() {}
  virtual float get_setup_priority() const { return 0; }
  void mark_failed() {}
};

struct Application {
  void set_loop_interval(uint32_t) {}
};
inline Application App;

namespace network {
inline bool is_connected() { return true; }
}

namespace binary_sensor {
struct BinarySensor {
  std::vector<std::function<void(bool)>> heard;
  void add_on_state_callback(std::function<void(bool)> f) { this->heard.push_back(f); }
  void publish_state(bool down) {
    for (auto &f : this->heard)
      f(down);
  }
};
}  // namespace binary_sensor

namespace display {
enum ColorOrder { COLOR_ORDER_RGB };
enum ColorBitness { COLOR_BITNESS_565 };
struct Display {
  virtual ~Display() = default;
  virtual void draw_pixels_at(int x, int y, int w, int h, const uint8_t *data, ColorOrder, ColorBitness, bool big_endian) = 0;
  virtual void update() = 0;
};
}  // namespace display

namespace light {
struct LightCall {
  void set_brightness(float) {}
  void set_transition_length(uint32_t) {}
  void perform() {}
};
struct LightState {
  LightCall turn_on() { return {}; }
  LightCall turn_off() { return {}; }
};
}  // namespace light

namespace rtttl {
struct Rtttl {
  void play(const std::string &) {}
};
}  // namespace rtttl

// Every text has its usual values only.
struct JsonValue {
  template<typename T> T operator|(T usual) const { return usual; }
};
struct JsonObject {
  JsonValue operator[](const char *) const { return {}; }
};
namespace json {
inline void parse_json(const uint8_t *, size_t, const std::function<bool(JsonObject)> &f) { f({}); }
}  // namespace json

}  // namespace esphome
