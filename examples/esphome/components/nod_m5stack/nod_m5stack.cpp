#include "nod_m5stack.h"

#include <cmath>

#include "esphome/core/hal.h"
#include "esphome/core/log.h"

namespace esphome::nod_m5stack {

static const char *const TAG = "nod_m5stack";

static const uint8_t AW9523 = 0x58;   // the CoreS3's port expander
static const uint8_t AW88298 = 0x36;  // its amplifier

void Backlight::setup() {
  uint8_t id = 0;
  if (!this->read_byte(0x03, &id)) {
    this->mark_failed();
    return;
  }
  // The Core2 changed its chip with v1.1 and kept its name: ask.
  this->chip_ = id == 0x03 ? Chip::AXP192 : Chip::AXP2101;
  if (this->board_ == Board::CORES3) {
    this->start_cores3_();
  } else if (this->chip_ == Chip::AXP192) {
    this->start_axp192_();
  } else {
    this->start_axp2101_();
  }
}

// Core2: LDO2 feeds the screen, GPIO4 resets screen and touch, GPIO2 switches the amplifier.
void Backlight::start_axp192_() {
  this->change_(0x28, 0xF0, 0xF0);  // LDO2: 3.3 V
  this->change_(0x12, 0x04, 0x04);  // LDO2 on
  this->change_(0x95, 0x8D, 0x84);  // GPIO4 is an output
  this->change_(0x96, 0x02, 0x00);
  delay(10);
  this->change_(0x96, 0x02, 0x02);
  this->change_(0x93, 0x07, 0x00);  // GPIO2 is an output
  this->change_(0x94, 0x04, 0x04);
}

// Core2 v1.1: ALDO4 feeds the screen, ALDO2 is its reset, ALDO3 switches the amplifier.
void Backlight::start_axp2101_() {
  this->change_(0x90, 0x0C, 0x0C);
  this->change_(0x90, 0x02, 0x00);
  delay(10);
  this->change_(0x90, 0x02, 0x02);
}

// CoreS3: the chip feeds screen, camera and amplifier; their reset lines are on the expander.
void Backlight::start_cores3_() {
  this->write_byte(0x92, 18 - 5);  // ALDO1: 1.8 V for the amplifier; steps of 0.1 V from 0.5 V
  this->write_byte(0x93, 33 - 5);
  this->write_byte(0x94, 33 - 5);
  this->write_byte(0x95, 33 - 5);
  this->change_(0x90, 0x3F, 0x3F);

  i2c::I2CDevice ports;
  ports.set_i2c_bus(this->bus_);
  ports.set_i2c_address(AW9523);
  ports.write_byte(0x02, 0x05);  // touch and amplifier out of reset; no 5 V to the outside
  ports.write_byte(0x03, 0x81);  // the boost for the amplifier; the screen in reset
  ports.write_byte(0x04, 0x18);  // which are inputs
  ports.write_byte(0x05, 0x0C);
  ports.write_byte(0x11, 0x10);  // push-pull
  ports.write_byte(0x12, 0xFF);  // ports, not dimmers of LEDs
  ports.write_byte(0x13, 0xFF);
  delay(10);
  ports.write_byte(0x03, 0x83);
  this->start_amplifier_();
}

// 16 kHz, 16 bits, as the configuration's speaker sends it.
void Backlight::start_amplifier_() {
  i2c::I2CDevice amplifier;
  amplifier.set_i2c_bus(this->bus_);
  amplifier.set_i2c_address(AW88298);
  amplifier.write_byte_16(0x61, 0x0673);  // its own boost off
  amplifier.write_byte_16(0x04, 0x4040);  // I2S on, amplifier awake
  amplifier.write_byte_16(0x05, 0x0008);  // not muted
  amplifier.write_byte_16(0x06, 0x14C3);  // I2S, left, 16 bits, 16 kHz
  amplifier.write_byte_16(0x0C, 0x0064);
}

void Backlight::write_state(float state) {
  const bool on = state > 0.0f;
  if (this->chip_ == Chip::AXP192) {  // DC3, 2.5 V to 3.3 V: below, the light is off
    if (on)
      this->change_(0x27, 0x7F, 72 + (uint8_t) lroundf(state * 31));
    this->change_(0x12, 0x02, on ? 0x02 : 0x00);
  } else if (this->chip_ == Chip::AXP2101) {  // 2.5 V to 3.3 V
    const bool s3 = this->board_ == Board::CORES3;
    if (on)
      this->write_byte(s3 ? 0x99 : 0x96, 20 + (uint8_t) lroundf(state * 8));
    const uint8_t enable = s3 ? 0x80 : 0x10;  // DLDO1, BLDO1
    this->change_(0x90, enable, on ? enable : 0);
  }
}

bool Backlight::change_(uint8_t reg, uint8_t mask, uint8_t value) {
  uint8_t old = 0;
  return this->read_byte(reg, &old) && this->write_byte(reg, (old & ~mask) | (value & mask));
}

void Backlight::dump_config() {
  ESP_LOGCONFIG(TAG, "M5Stack %s with %s", this->board_ == Board::CORES3 ? "CoreS3" : "Core2",
                this->chip_ == Chip::AXP192 ? "AXP192" : "AXP2101");
  LOG_I2C_DEVICE(this);
}

}  // namespace esphome::nod_m5stack
