#include "standin.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace std;

uint32_t esphome::millis() {
  return chrono::duration_cast<chrono::milliseconds>(chrono::steady_clock::now().time_since_epoch()).count();
}

BaseType_t xTaskCreate(void (*run)(void *), const char *, uint32_t, void *with, unsigned, void **) {
  thread(run, with).detach();
  return pdPASS;
}
void vTaskDelay(TickType_t ms) { this_thread::sleep_for(chrono::milliseconds(ms)); }

struct Queue {
  mutex m;
  deque<string> items;
  size_t length, size;
};
QueueHandle_t xQueueCreate(unsigned length, unsigned size) { return new Queue{{}, {}, length, size}; }
BaseType_t xQueueSend(QueueHandle_t q, const void *item, TickType_t) {
  lock_guard lock(q->m);
  if (q->items.size() == q->length)
    return 0;
  q->items.emplace_back(static_cast<const char *>(item), q->size);
  return pdTRUE;
}
BaseType_t xQueueReceive(QueueHandle_t q, void *item, TickType_t) {
  lock_guard lock(q->m);
  if (q->items.empty())
    return 0;
  memcpy(item, q->items.front().data(), q->size);
  q->items.pop_front();
  return pdTRUE;
}
BaseType_t xQueueReset(QueueHandle_t q) {
  lock_guard lock(q->m);
  q->items.clear();
  return pdPASS;
}

struct Buffer {
  mutex m;
  condition_variable room;
  deque<string> messages;
  size_t size, used{0};
};
static const size_t EACH = 4;  // FreeRTOS keeps the length beside each message
MessageBufferHandle_t xMessageBufferCreate(size_t size) {
  auto *b = new Buffer;
  b->size = size;
  return b;
}
size_t xMessageBufferSend(MessageBufferHandle_t b, const void *data, size_t length, TickType_t) {
  unique_lock lock(b->m);
  b->room.wait(lock, [&] { return b->used + length + EACH <= b->size; });
  b->messages.emplace_back(static_cast<const char *>(data), length);
  b->used += length + EACH;
  return length;
}
size_t xMessageBufferReceive(MessageBufferHandle_t b, void *data, size_t most, TickType_t) {
  lock_guard lock(b->m);
  if (b->messages.empty() || b->messages.front().size() > most)
    return 0;
  const string message = std::move(b->messages.front());
  b->messages.pop_front();
  b->used -= message.size() + EACH;
  b->room.notify_one();
  memcpy(data, message.data(), message.size());
  return message.size();
}

// A WebSocket that is read as ESP-IDF lets one read it: a frame in pieces, its
// opcode and length beside it, pings answered below.
struct Transport {
  int fd{-1};
  string path, headers;
  size_t left{0}, length{0};
  int opcode{WS_TRANSPORT_OPCODES_NONE};
};
esp_transport_handle_t esp_transport_tcp_init() { return new Transport; }
esp_transport_handle_t esp_transport_ssl_init() { return nullptr; }
void esp_transport_ssl_set_cert_data(esp_transport_handle_t, const char *, int) {}
void esp_transport_ssl_crt_bundle_attach(esp_transport_handle_t, esp_err_t (*)(void *)) {}
esp_err_t esp_crt_bundle_attach(void *) { return ESP_OK; }
esp_transport_handle_t esp_transport_ws_init(esp_transport_handle_t) { return new Transport; }
esp_err_t esp_transport_ws_set_config(esp_transport_handle_t t, const esp_transport_ws_config_t *config) {
  t->path = config->ws_path;
  t->headers = config->headers;
  return ESP_OK;
}
int esp_transport_ws_get_upgrade_request_status(esp_transport_handle_t) { return 0; }

static bool read_all(int fd, void *into, size_t length) {
  for (size_t have = 0; have < length;) {
    const ssize_t n = read(fd, static_cast<char *>(into) + have, length - have);
    if (n <= 0)
      return false;
    have += n;
  }
  return true;
}

int esp_transport_connect(esp_transport_handle_t t, const char *host, int port, int) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(host, to_string(port).c_str(), &hints, &found) != 0)
    return -1;
  t->fd = socket(found->ai_family, SOCK_STREAM, 0);
  const bool refused = connect(t->fd, found->ai_addr, found->ai_addrlen) != 0;
  freeaddrinfo(found);
  if (refused)
    return -1;
  const string ask = "GET " + t->path + " HTTP/1.1\r\nHost: " + host + ":" + to_string(port) +
                     "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                     "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" + t->headers + "\r\n";
  if (write(t->fd, ask.data(), ask.size()) < 0)
    return -1;
  string answer;
  for (char c; answer.find("\r\n\r\n") == string::npos; answer += c) {
    if (read(t->fd, &c, 1) != 1)
      return -1;
  }
  return answer.find(" 101 ") == string::npos ? -1 : 0;
}

int esp_transport_poll_read(esp_transport_handle_t t, int timeout_ms) {
  pollfd p{t->fd, POLLIN, 0};
  return poll(&p, 1, timeout_ms);
}

int esp_transport_ws_send_raw(esp_transport_handle_t t, ws_transport_opcodes_t opcode, const char *data, int length, int) {
  string frame(1, char(opcode));
  if (length < 126) {
    frame += char(0x80 | length);
  } else {
    frame += {char(0x80 | 126), char(length >> 8), char(length)};
  }
  frame.append(4, '\0');  // a mask that changes nothing
  frame.append(data, length);
  return send(t->fd, frame.data(), frame.size(), MSG_NOSIGNAL) < 0 ? -1 : length;
}

static bool next_frame(esp_transport_handle_t t) {
  uint8_t head[2], more[8];
  if (!read_all(t->fd, head, 2))
    return false;
  t->opcode = head[0] & 0x0f;
  t->length = head[1] & 0x7f;
  const size_t bytes = t->length == 127 ? 8 : t->length == 126 ? 2 : 0;
  if (!read_all(t->fd, more, bytes))
    return false;
  if (bytes > 0)
    t->length = 0;
  for (size_t i = 0; i < bytes; i++)
    t->length = t->length << 8 | more[i];
  return true;
}

int esp_transport_read(esp_transport_handle_t t, char *into, int length, int) {
  if (t->left == 0) {
    if (!next_frame(t))
      return -1;
    if (t->opcode >= WS_TRANSPORT_OPCODES_CLOSE) {
      string text(t->length, '\0');
      if (!read_all(t->fd, text.data(), text.size()))
        return -1;
      if (t->opcode == WS_TRANSPORT_OPCODES_PING)
        esp_transport_ws_send_raw(t, ws_transport_opcodes_t(WS_TRANSPORT_OPCODES_PONG | WS_TRANSPORT_OPCODES_FIN), text.data(), text.size(), 0);
      return 0;
    }
    t->left = t->length;
  }
  const ssize_t n = t->left == 0 ? 0 : read(t->fd, into, min<size_t>(length, t->left));
  if (n < 0 || (n == 0 && t->left > 0))
    return -1;
  t->left -= n;
  return n;
}

ws_transport_opcodes_t esp_transport_ws_get_read_opcode(esp_transport_handle_t t) { return ws_transport_opcodes_t(t->opcode); }
int esp_transport_ws_get_read_payload_len(esp_transport_handle_t t) { return t->length; }
int esp_transport_close(esp_transport_handle_t t) {
  if (t->fd >= 0)
    close(t->fd);
  t->fd = -1;
  return 0;
}
esp_err_t esp_transport_destroy(esp_transport_handle_t t) {
  delete t;
  return ESP_OK;
}
