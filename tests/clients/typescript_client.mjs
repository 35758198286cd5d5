// The TypeScript SDK's client, told what to do by `lines.py`.
//
//     node typescript_client.mjs FOLDER_OF_THE_SDK modern|legacy TARGET
//
// Its packages are installed elsewhere, hence the folder.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [, , folder, era, target] = process.argv;
const require = createRequire(pathToFileURL(`${folder}/`));
const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');

// What the user says next.
let answers = [];

const client = new Client(
  { name: 'typescript', version: '1.0.0' },
  {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
  },
);
client.setRequestHandler('elicitation/create', async () => answers.shift());

const METHODS = {
  server: async () => client.getServerVersion() ?? null,
  'tools/list': () => client.listTools(),
  'tools/call': params => client.callTool(params),
  'resources/list': () => client.listResources(),
  'resources/templates/list': () => client.listResourceTemplates(),
  'resources/read': params => client.readResource(params),
  'prompts/list': () => client.listPrompts(),
  'prompts/get': params => client.getPrompt(params),
  'completion/complete': params => client.complete(params),
};

function transport(it) {
  if (typeof it === 'string') return new StreamableHTTPClientTransport(new URL(it));
  const [command, ...args] = it;
  return new StdioClientTransport({ command, args, stderr: 'inherit' });
}

async function outcome({ method, params }) {
  try {
    return { result: await METHODS[method](params) };
  } catch (error) {
    return { error: { code: error.code, message: error.message, data: error.data } };
  }
}

await client.connect(transport(JSON.parse(target)));
console.log(JSON.stringify({ revision: client.getNegotiatedProtocolVersion() }));
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  answers = request.answers;
  console.log(JSON.stringify(await outcome(request)));
}
await client.close();
