#pragma once

// Pictures as they come over the wire (docs/screen-protocol.md), and nothing of
// ESPHome: this file is also compiled and tried on a computer.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace esphome::nod_screen {

/// What is drawn. Rows come from top to bottom, two bytes a pixel, high byte first.
class Canvas {
 public:
  virtual void pixels(int x, int y, int w, int h, const uint8_t *data) = 0;
  /// Everything of this frame is on the screen now.
  virtual void complete(uint32_t frame) = 0;
};

/// Takes messages apart as their bytes arrive, so that no picture has to fit into
/// the memory of the device: a few rows at a time go to the screen.
class Picture {
 public:
  Picture(int width, int height) : width_(width), height_(height) {}

  /// A new message begins.
  void begin() { this->header_have_ = 0; }

  /// The next bytes of it. False: it makes no sense, and nothing after it would.
  bool feed(const uint8_t *data, size_t length, Canvas &canvas) {
    if (this->header_have_ < HEADER) {
      const size_t take = std::min(length, HEADER - this->header_have_);
      std::copy_n(data, take, this->header_ + this->header_have_);
      this->header_have_ += take;
      data += take;
      length -= take;
      if (this->header_have_ < HEADER)
        return true;
      if (!this->read_header_())
        return false;
      if (this->left_ == 0)
        this->end_(canvas);
    }
    if (length > this->left_)
      return false;
    while (length > 0) {
      const size_t take = std::min(length, this->batch_ - this->rows_have_);
      std::copy_n(data, take, this->rows_ + this->rows_have_);
      this->rows_have_ += take;
      data += take;
      length -= take;
      this->left_ -= take;
      if (this->rows_have_ == this->batch_ || this->left_ == 0)
        this->flush_(canvas);
    }
    return true;
  }

 protected:
  static constexpr size_t HEADER = 20;
  static constexpr size_t ROWS = 5120;  // eight rows of 320 pixels
  static constexpr uint8_t RGB565 = 1;
  static constexpr uint8_t LAST = 1 << 0;

  uint32_t number_(size_t at, size_t bytes) const {
    uint32_t n = 0;
    for (size_t i = 0; i < bytes; i++)
      n = n << 8 | this->header_[at + i];
    return n;
  }

  bool read_header_() {
    this->frame_ = this->number_(4, 4);
    this->x_ = this->number_(8, 2);
    this->y_ = this->number_(10, 2);
    this->w_ = this->number_(12, 2);
    const int h = this->number_(14, 2);
    this->left_ = this->number_(16, 4);
    if (this->header_[0] != 'N' || this->header_[1] != RGB565)
      return false;
    if (this->x_ + this->w_ > this->width_ || this->y_ + h > this->height_ || this->left_ != size_t(2) * this->w_ * h)
      return false;
    const size_t row = size_t(2) * this->w_;
    if (row > ROWS)
      return false;
    this->batch_ = row == 0 ? 0 : ROWS / row * row;
    this->rows_have_ = 0;
    return true;
  }

  void flush_(Canvas &canvas) {
    const int h = this->rows_have_ / (size_t(2) * this->w_);
    canvas.pixels(this->x_, this->y_, this->w_, h, this->rows_);
    this->y_ += h;
    this->rows_have_ = 0;
    if (this->left_ == 0)
      this->end_(canvas);
  }

  void end_(Canvas &canvas) {
    if (this->header_[2] & LAST)
      canvas.complete(this->frame_);
  }

  const int width_, height_;
  size_t header_have_{0};
  uint8_t header_[HEADER];
  uint32_t frame_{0};
  int x_{0}, y_{0}, w_{0};
  size_t left_{0};               // bytes of the rectangle that are still to come
  size_t batch_{0};              // bytes that are drawn at once: whole rows
  size_t rows_have_{0};
  alignas(4) uint8_t rows_[ROWS];
};

}  // namespace esphome::nod_screen
