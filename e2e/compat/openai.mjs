// The official OpenAI client, as it comes, speaking to nod: node openai.mjs URL TOKEN.
// What it hears is one JSON object on standard output.
import OpenAI from 'openai';

const [host, token] = process.argv.slice(2);
const client = new OpenAI({ baseURL: `${host}/v1`, apiKey: token });
const messages = [{ role: 'system', content: 'You are in the kitchen.' }];

async function say(content, stream) {
  messages.push({ role: 'user', content });
  const request = { model: 'house', messages, stream, temperature: 0.3, tools: [{ type: 'function', function: { name: 'lookup', parameters: {} } }] };
  let text = '';
  let reason = '';
  let usage = null;
  if (stream) {
    for await (const part of await client.chat.completions.create({ ...request, stream_options: { include_usage: true } })) {
      text += part.choices[0]?.delta?.content ?? '';
      reason = part.choices[0]?.finish_reason ?? reason;
      usage = part.usage ?? usage;
    }
  } else {
    const answer = await client.chat.completions.create(request);
    ({ text, reason, usage } = { text: answer.choices[0].message.content, reason: answer.choices[0].finish_reason, usage: answer.usage });
  }
  messages.push({ role: 'assistant', content: text });
  return { text, done: reason === 'stop', reason, took: usage.total_tokens > 0 };
}

async function failing(call) {
  try {
    await call();
    return { status: 200 };
  } catch (error) {
    return { status: error.status, message: String(error.message), code: error.code, type: error.type };
  }
}

const ask = (model, content) => client.chat.completions.create({ model, messages: [{ role: 'user', content }] });
const heard = {
  models: (await client.models.list()).data.map((m) => m.id),
  show: [(await client.models.retrieve('house')).owned_by],
  first: await say('What is the capital of Poland?', true),
  second: await say([{ type: 'text', text: 'And of Japan?' }], false),
  asked: await say('Switch the lamp off', true),
  unclear: await say('Which one?', true),
  done: await say('Yes.', true),
  asked2: await say('Switch the heating off', false),
  denied: await say('No!', false),
  unknown: await failing(() => ask('gpt-5', 'hello')),
  picture: await failing(() => ask('house', [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGVsbG8=' } }])),
  failed: await failing(() => ask('house', 'Trouble, please')),
  stranger: await failing(() => new OpenAI({ baseURL: `${host}/v1`, apiKey: 'nod_wrong' }).models.list()),
};
process.stdout.write(JSON.stringify(heard));
