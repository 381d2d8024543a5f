// What the device's connection takes from ESP-IDF, FreeRTOS and ESPHome, for a
// computer. Every header that it includes is replaced by this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace esphome {
uint32_t millis();
}
#define ESP_LOGW(tag, ...) (fprintf(stderr, __VA_ARGS__), fprintf(stderr, "\n"))

typedef int esp_err_t;
#define ESP_OK 0

typedef uint32_t TickType_t;
typedef int BaseType_t;
typedef struct Queue *QueueHandle_t;
typedef struct Buffer *MessageBufferHandle_t;
#define pdTRUE 1
#define pdPASS 1
#define portMAX_DELAY UINT32_MAX
#define pdMS_TO_TICKS(ms) ((TickType_t) (ms))
#define tskIDLE_PRIORITY 0

BaseType_t xTaskCreate(void (*run)(void *), const char *name, uint32_t stack, void *with, unsigned priority, void **task);
void vTaskDelay(TickType_t ms);
QueueHandle_t xQueueCreate(unsigned length, unsigned size);
BaseType_t xQueueSend(QueueHandle_t, const void *item, TickType_t wait);
BaseType_t xQueueReceive(QueueHandle_t, void *item, TickType_t wait);
BaseType_t xQueueReset(QueueHandle_t);
MessageBufferHandle_t xMessageBufferCreate(size_t size);
size_t xMessageBufferSend(MessageBufferHandle_t, const void *data, size_t length, TickType_t wait);
size_t xMessageBufferReceive(MessageBufferHandle_t, void *data, size_t most, TickType_t wait);

typedef struct Transport *esp_transport_handle_t;
typedef enum {
  WS_TRANSPORT_OPCODES_CONT = 0x00,
  WS_TRANSPORT_OPCODES_TEXT = 0x01,
  WS_TRANSPORT_OPCODES_BINARY = 0x02,
  WS_TRANSPORT_OPCODES_CLOSE = 0x08,
  WS_TRANSPORT_OPCODES_PING = 0x09,
  WS_TRANSPORT_OPCODES_PONG = 0x0a,
  WS_TRANSPORT_OPCODES_FIN = 0x80,
  WS_TRANSPORT_OPCODES_NONE = 0x100,
} ws_transport_opcodes_t;
typedef struct {
  const char *ws_path;
  const char *headers;
} esp_transport_ws_config_t;

esp_transport_handle_t esp_transport_tcp_init();
esp_transport_handle_t esp_transport_ssl_init();
void esp_transport_ssl_set_cert_data(esp_transport_handle_t, const char *data, int length);
void esp_transport_ssl_crt_bundle_attach(esp_transport_handle_t, esp_err_t (*attach)(void *));
esp_err_t esp_crt_bundle_attach(void *);
esp_transport_handle_t esp_transport_ws_init(esp_transport_handle_t parent);
esp_err_t esp_transport_ws_set_config(esp_transport_handle_t, const esp_transport_ws_config_t *);
int esp_transport_ws_get_upgrade_request_status(esp_transport_handle_t);
int esp_transport_connect(esp_transport_handle_t, const char *host, int port, int timeout_ms);
int esp_transport_poll_read(esp_transport_handle_t, int timeout_ms);
int esp_transport_read(esp_transport_handle_t, char *into, int length, int timeout_ms);
int esp_transport_ws_send_raw(esp_transport_handle_t, ws_transport_opcodes_t, const char *data, int length, int timeout_ms);
ws_transport_opcodes_t esp_transport_ws_get_read_opcode(esp_transport_handle_t);
int esp_transport_ws_get_read_payload_len(esp_transport_handle_t);
int esp_transport_close(esp_transport_handle_t);
esp_err_t esp_transport_destroy(esp_transport_handle_t);
