#include "link.h"

#include <algorithm>
#include <cstring>

#include <esp_crt_bundle.h>
#include <esp_transport_ssl.h>
#include <esp_transport_tcp.h>
#include <esp_transport_ws.h>

#include "esphome/core/hal.h"
#include "esphome/core/log.h"

namespace esphome::nod_screen {

static const char *const TAG = "nod_screen";

static const int CONNECT_MS = 10000;
static const int WRITE_MS = 5000;
static const int READ_MS = 5000;
static const uint32_t MOST_PAUSE_MS = 5000;  // a hub that is back is found within seconds
static const uint32_t STACK = 9216;  // a TLS handshake needs most of it

bool Link::start() {
  this->in_ = xMessageBufferCreate(WAITING);
  this->out_ = xQueueCreate(8, sizeof(Line));
  return this->in_ != nullptr && this->out_ != nullptr &&
         xTaskCreate(Link::run, "nod", STACK, this, tskIDLE_PRIORITY + 2, nullptr) == pdPASS;
}

size_t Link::receive(uint8_t *into, size_t most) { return xMessageBufferReceive(this->in_, into, most, 0); }

bool Link::send(const char *text) {
  Line line;
  if (strlen(text) >= sizeof(line.text))
    return false;
  strcpy(line.text, text);
  return xQueueSend(this->out_, &line, 0) == pdTRUE;
}

void Link::run(void *self) { static_cast<Link *>(self)->live_(); }

void Link::live_() {
  uint32_t pause = 1000;
  for (;;) {
    if (!this->online.load()) {
      vTaskDelay(pdMS_TO_TICKS(200));
      continue;
    }
    if (this->connect_()) {
      const uint32_t began = millis();
      this->talk_();
      this->put_(LOST, 0);
      if (millis() - began > 30000)  // otherwise it may have been a refusal
        pause = 1000;
    }
    this->close_();
    vTaskDelay(pdMS_TO_TICKS(pause));
    pause = std::min<uint32_t>(pause * 2, MOST_PAUSE_MS);
  }
}

bool Link::connect_() {
  this->inner_ = this->secure ? esp_transport_ssl_init() : esp_transport_tcp_init();
  this->ws_ = this->inner_ == nullptr ? nullptr : esp_transport_ws_init(this->inner_);
  if (this->ws_ == nullptr)
    return false;
  if (this->secure) {
    if (this->ca != nullptr) {
      esp_transport_ssl_set_cert_data(this->inner_, this->ca, strlen(this->ca));
    } else {
      esp_transport_ssl_crt_bundle_attach(this->inner_, esp_crt_bundle_attach);
    }
  }
  esp_transport_ws_config_t config{};
  config.ws_path = this->path;
  config.headers = this->headers;
  if (esp_transport_ws_set_config(this->ws_, &config) != ESP_OK)
    return false;
  if (esp_transport_connect(this->ws_, this->host, this->port, CONNECT_MS) != 0) {
    ESP_LOGW(TAG, "The hub at %s:%u does not answer (%d)", this->host, this->port,
             esp_transport_ws_get_upgrade_request_status(this->ws_));
    return false;
  }
  return true;
}

void Link::talk_() {
  this->left_ = this->text_have_ = 0;
  this->binary_ = this->begun_ = false;
  this->restart = false;
  xQueueReset(this->out_);  // presses of before were meant for something else
  this->heard_ = millis();
  if (!this->put_(CONNECTED, 0))
    return;
  Line line;
  while (this->online.load() && !this->restart.load()) {
    while (xQueueReceive(this->out_, &line, 0) == pdTRUE) {
      const int length = strlen(line.text);
      const auto opcode = static_cast<ws_transport_opcodes_t>(WS_TRANSPORT_OPCODES_TEXT | WS_TRANSPORT_OPCODES_FIN);
      if (esp_transport_ws_send_raw(this->ws_, opcode, line.text, length, WRITE_MS) < 0)
        return;
    }
    const int ready = esp_transport_poll_read(this->ws_, this->hasty.load() ? 20 : 200);
    if (ready < 0 || (ready > 0 && !this->take_()))
      return;
    if (millis() - this->heard_ > this->silence_ms.load()) {
      ESP_LOGW(TAG, "The hub has gone quiet");
      return;
    }
  }
}

// take_ reads a piece of a message and hands it on.
bool Link::take_() {
  const bool text = this->left_ > 0 && !this->binary_;
  const size_t used = text ? this->text_have_ : 0;
  if (used == CHUNK) {
    ESP_LOGW(TAG, "The hub sent a text that is too long");
    return false;
  }
  const size_t room = this->left_ > 0 ? std::min(this->left_, CHUNK - used) : CHUNK;
  const int read = esp_transport_read(this->ws_, reinterpret_cast<char *>(this->chunk_ + 1 + used), room, READ_MS);
  if (read < 0)
    return false;
  this->heard_ = millis();  // a ping, which is answered below us, is also a sign of life
  if (this->left_ == 0) {
    const int opcode = esp_transport_ws_get_read_opcode(this->ws_);
    if (opcode == WS_TRANSPORT_OPCODES_CLOSE)
      return false;
    if (read == 0 || (opcode != WS_TRANSPORT_OPCODES_TEXT && opcode != WS_TRANSPORT_OPCODES_BINARY))
      return opcode != WS_TRANSPORT_OPCODES_CONT;  // the hub sends every message in one frame
    this->binary_ = opcode == WS_TRANSPORT_OPCODES_BINARY;
    this->begun_ = false;
    this->text_have_ = 0;
    this->left_ = esp_transport_ws_get_read_payload_len(this->ws_);
  }
  this->left_ -= std::min<size_t>(this->left_, read);
  if (this->binary_) {
    const Kind kind = this->begun_ ? MORE : PICTURE;
    this->begun_ = true;
    return read == 0 || this->put_(kind, read);
  }
  this->text_have_ += read;
  return this->left_ > 0 || this->put_(TEXT, this->text_have_);
}

// put_ waits for the loop as long as it takes: it draws, or an update is under way.
bool Link::put_(Kind kind, size_t length) {
  this->chunk_[0] = kind;
  return xMessageBufferSend(this->in_, this->chunk_, 1 + length, portMAX_DELAY) > 0;
}

void Link::close_() {
  if (this->ws_ != nullptr) {
    esp_transport_close(this->ws_);
    esp_transport_destroy(this->ws_);
  }
  if (this->inner_ != nullptr)
    esp_transport_destroy(this->inner_);
  this->ws_ = this->inner_ = nullptr;
}

}  // namespace esphome::nod_screen
