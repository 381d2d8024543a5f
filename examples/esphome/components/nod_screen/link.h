#pragma once

#include <atomic>
#include <cstdint>

#include <esp_transport.h>
#include <freertos/FreeRTOS.h>
#include <freertos/message_buffer.h>
#include <freertos/queue.h>
#include <freertos/task.h>

namespace esphome::nod_screen {

/// The WebSocket to the hub. Its task is the only one that touches the connection:
/// a TLS connection does not stand two. Towards ESPHome's loop there are two
/// buffers; when the loop is busy drawing, the hub waits, and nothing is lost.
class Link {
 public:
  /// The first byte of what receive gives.
  enum Kind : uint8_t { CONNECTED = 'C', LOST = 'L', TEXT = 'T', PICTURE = 'P', MORE = 'M' };
  static constexpr size_t CHUNK = 2048;

  const char *host{nullptr};
  uint16_t port{0};
  bool secure{false};
  const char *path{nullptr};
  const char *headers{nullptr};
  const char *ca{nullptr};  // PEM; null: the public ones

  std::atomic<bool> online{false};   // there is a network
  std::atomic<bool> hasty{true};     // a press must go out at once
  std::atomic<bool> restart{false};  // what came made no sense
  std::atomic<uint32_t> silence_ms{45000};

  bool start();
  /// One record, if there is one: a kind and its bytes.
  size_t receive(uint8_t *into, size_t most);
  /// False when too much waits already.
  bool send(const char *text);

 protected:
  static constexpr size_t WAITING = 8192;
  struct Line {
    char text[384];
  };

  static void run(void *self);
  void live_();
  bool connect_();
  void talk_();
  bool take_();
  bool put_(Kind kind, size_t length);
  void close_();

  MessageBufferHandle_t in_{nullptr};
  QueueHandle_t out_{nullptr};
  esp_transport_handle_t inner_{nullptr}, ws_{nullptr};
  size_t left_{0};        // of the WebSocket frame that is being read
  bool binary_{false};    // the message that is being read
  bool begun_{false};     // some of it was handed on
  size_t text_have_{0};
  uint32_t heard_{0};
  uint8_t chunk_[1 + CHUNK];  // its first byte is the kind
};

}  // namespace esphome::nod_screen
