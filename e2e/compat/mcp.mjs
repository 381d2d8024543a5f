// The official MCP clients, unmodified, speak to nod: node mcp.mjs 1|2 stdio PROGRAM  or  node mcp.mjs 1|2 http URL TOKEN.
// What they heard is printed as JSON.
const [generation, way, where, token] = process.argv.slice(2);

const one = generation === '1';
const { Client } = await import(one ? '@modelcontextprotocol/sdk/client/index.js' : '@modelcontextprotocol/client');

async function transport() {
  if (way === 'stdio') {
    const { StdioClientTransport } = await import(one ? '@modelcontextprotocol/sdk/client/stdio.js' : '@modelcontextprotocol/client/stdio');
    return new StdioClientTransport({ command: where, args: ['mcp'], env: { ...process.env }, stderr: 'inherit' });
  }
  const { StreamableHTTPClientTransport } = await import(one ? '@modelcontextprotocol/sdk/client/streamableHttp.js' : '@modelcontextprotocol/client');
  return new StreamableHTTPClientTransport(new URL(where), { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
}

const heard = {};
const client = new Client({ name: 'compat', version: generation });
client.onerror = (e) => { (heard.errors ??= []).push(String(e.message ?? e)); };
await client.connect(await transport());

const call = (name, args = {}, options = undefined) =>
  one ? client.callTool({ name, arguments: args }, undefined, options) : client.callTool({ name, arguments: args }, options);
const text = (result) => result.content.map((c) => c.text).join('\n');

heard.server = client.getServerVersion()?.name;
heard.tools = (await client.listTools()).tools.map((t) => t.name).sort();
heard.schemas = (await client.listTools()).tools.every((t) => t.inputSchema?.type === 'object' && t.description);
heard.resources = (await client.listResources()).resources.map((r) => r.uri).sort();
heard.set = text(await call('set_keyboard_buttons', { buttons: ['Go', 'Wait', 'More', 'Help'] }));
heard.status = JSON.parse(text(await call('get_keyboard_status'))).currentContext?.buttons;
heard.context = JSON.parse((await client.readResource({ uri: 'tkeyboard://context' })).contents[0].text).type;
heard.told = text(await call('notify_person', { message: 'Half of it is done.' }));

let progress = 0;
const answer = await call('ask_person', { question: 'Ready?', options: ['Yes', 'No'] }, { onprogress: () => { progress++; }, timeout: 60_000, resetTimeoutOnProgress: true });
heard.answer = text(answer);
heard.structured = answer.structuredContent?.answer;
heard.progress = progress > 0;

const failure = async (what) => {
  try {
    const result = await what();
    return result.isError ? 'result' : 'none';
  } catch (e) {
    return Number.isInteger(e.code) ? 'protocol' : String(e);
  }
};
heard.missing = await failure(() => call('ask_person', {}));
heard.unknown = await failure(() => call('no_such_tool', {}));

await client.close();
console.log(JSON.stringify(heard));
