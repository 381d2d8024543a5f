// The official Ollama client, as it comes, speaking to nod: node ollama.mjs URL TOKEN.
// What it hears is one JSON object on standard output.
import { Ollama } from 'ollama';

const [host, token] = process.argv.slice(2);
const client = new Ollama({ host, headers: { Authorization: `Bearer ${token}` } });
const messages = [{ role: 'system', content: 'You are in the kitchen.' }];

async function say(content, stream) {
  messages.push({ role: 'user', content });
  const request = { model: 'house', messages, keep_alive: '5m', options: { num_ctx: 8192 }, stream };
  const answer = await client.chat(request);
  let text = '';
  let last = answer;
  if (stream) {
    for await (const part of answer) {
      text += part.message.content;
      last = part;
    }
  } else {
    text = answer.message.content;
  }
  messages.push({ role: 'assistant', content: text });
  return { text, done: last.done, reason: last.done_reason, took: last.total_duration > 0 };
}

async function failing(call) {
  try {
    await call();
    return { status: 200 };
  } catch (error) {
    return { status: error.status_code, message: String(error.message) };
  }
}

const pulled = [];
for await (const part of await client.pull({ model: 'house', stream: true })) pulled.push(part.status);
const heard = {
  models: (await client.list()).models.map((m) => m.name),
  version: (await client.version()).version,
  show: (await client.show({ model: 'house:latest' })).capabilities,
  pulled,
  first: await say('What is the capital of Poland?', true),
  second: await say('And of Japan?', false),
  asked: await say('Switch the lamp off', true),
  unclear: await say('Which one?', true),
  done: await say('Yes.', true),
  asked2: await say('Switch the heating off', false),
  denied: await say('No!', false),
  running: (await client.ps()).models.map((m) => m.name),
  alone: (await client.generate({ model: 'house', prompt: 'What is the capital of Poland?', stream: false })).response,
  unknown: await failing(() => client.chat({ model: 'llama3.2', messages })),
  picture: await failing(() => client.chat({ model: 'house', messages: [{ role: 'user', content: 'See?', images: ['aGVsbG8='] }] })),
  failed: await failing(() => client.chat({ model: 'house', messages: [{ role: 'user', content: 'Trouble, please' }] })),
  stranger: await failing(() => new Ollama({ host }).list()),
};
process.stdout.write(JSON.stringify(heard));
