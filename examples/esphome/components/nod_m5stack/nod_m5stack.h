#pragma once

#include "esphome/components/i2c/i2c.h"
#include "esphome/components/output/float_output.h"
#include "esphome/core/component.h"

namespace esphome::nod_m5stack {

enum class Board : uint8_t { CORE2, CORES3 };

/// The backlight of boards whose screen hangs on a power chip. Before the screen
/// is set up it also gets its power and a clean reset here, and the loudspeaker
/// its amplifier: ESPHome has no driver for these chips.
class Backlight : public output::FloatOutput, public Component, public i2c::I2CDevice {
 public:
  void set_board(Board board) { this->board_ = board; }
  void setup() override;
  void dump_config() override;
  // After the I2C bus, before everything that hangs on the chip.
  float get_setup_priority() const override { return setup_priority::IO; }

 protected:
  enum class Chip : uint8_t { NONE, AXP192, AXP2101 };

  void write_state(float state) override;
  void start_axp192_();
  void start_axp2101_();
  void start_cores3_();
  void start_amplifier_();
  /// Writes the bits of a register that are in mask; the others stay.
  bool change_(uint8_t reg, uint8_t mask, uint8_t value);

  Board board_{Board::CORE2};
  Chip chip_{Chip::NONE};
};

}  // namespace esphome::nod_m5stack
