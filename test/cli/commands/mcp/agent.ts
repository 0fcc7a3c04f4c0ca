import { PassThrough } from 'node:stream';
import { Client, type ClientOptions, InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { onTestFinished } from 'vitest';
import { loadOperations } from '../../../../src/cli/command-list.ts';
import { CREATE_TOOL, REFUND_TOOL, SANDBOX_TOOLS } from '../../../../src/cli/commands/mcp/changing-tools.ts';
import { READING_TOOLS } from '../../../../src/cli/commands/mcp/reading-tools.ts';
import { type ToolChoice, toolsFor } from '../../../../src/cli/commands/mcp/serve.ts';
import { ToolServer } from '../../../../src/cli/commands/mcp/server.ts';
import type { Tool } from '../../../../src/cli/commands/mcp/tool.ts';
import { inputAt } from '../../../../src/cli/commands/shared/described.ts';
import type { GlobalFlags } from '../../../../src/cli/context.ts';
import { buildProgram } from '../../../../src/cli/program.ts';
import { createContext } from '../../../../src/cli/wiring.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { ajv, shapeSchema } from '../../../helpers/json-schema.ts';
import { serviceEnv } from '../../../helpers/services.ts';

/** The revisions of the protocol that are served. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

/** What commands print and may change. */
export const table = await loadOperations();

const program = await buildProgram(() => {
  throw new Error('no command is run');
});

/** What the command takes that a tool is made from. */
export const input = (path: string) => inputAt(program, table, path);

/** How a host is set up. */
export interface AgentOptions {
  /** Default: a folder of its own, which is gone after the test. */
  readonly home?: string;
  readonly revision?: (typeof REVISIONS)[number];
  readonly flags?: GlobalFlags;
  readonly choice?: Partial<ToolChoice>;
  readonly env?: Readonly<Record<string, string>>;
  readonly now?: () => number;
  /** What a person answers to a form; none is shown without. */
  readonly onForm?: (form: { readonly message: string }) => unknown;
}

/** A result of a tool, as far as tests read it. */
export interface ToolOutcome {
  readonly isError: boolean;
  /** Structured content; of an error the error object. */
  readonly result: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The tools of a profile in this process, with a host of the official client on the other side. */
export async function startAgent(options: AgentOptions = {}) {
  const { transport, context, end } = await served(options);
  const client = await connected(transport, options);
  return { client, context, call: calling(client), close: end };
}

/** A clock that stands: prices move with the time. */
function standing(): () => number {
  const at = Date.now();
  return () => at;
}

/** The server in this process, and the host's end of the connection. */
export async function served(
  { home, flags = { sandbox: true }, now = standing(), choice = {}, env }: AgentOptions,
  more: readonly Tool[] = [],
) {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const context = createContext(
    {
      streams,
      env: { HOME: home ?? (await temporaryFolder()), NO_COLOR: '1', ...serviceEnv(), ...env },
      platform: 'linux',
      processId: process.pid,
      signal: new AbortController().signal,
      now,
    },
    flags,
  );
  const profile = await context.profile();
  const server = new ToolServer(context, [
    ...toolsFor({ input, table, profile, allowed: [], named: null, ...choice }),
    ...more,
  ]);
  const [ours, transport] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(() => server.connection(), { transport: ours });
  let isOver = false;
  const end = async () => {
    if (isOver) return;
    isOver = true;
    await handle.close();
    await server.ended();
    await context.close();
  };
  onTestFinished(end);
  return { server, transport, context, end };
}

/** A host that writes the messages of the 2026-07-28 revision itself; returns what sends a request. */
export async function rawHost() {
  const { transport } = await served({});
  const waiting = new Map<number, (answer: RawAnswer) => void>();
  transport.onmessage = (message) => {
    if ('id' in message && typeof message.id === 'number') waiting.get(message.id)?.(message as RawAnswer);
  };
  await transport.start();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'hostile', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  let id = 0;
  return (method: string, params: object) =>
    new Promise<RawAnswer>((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      void transport.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
    });
}

/** What comes back for a request. */
export interface RawAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A host of the official client for a transport. */
export async function connected(
  transport: Transport,
  {
    revision = '2026-07-28',
    onForm,
  }: { readonly [K in 'revision' | 'onForm']?: AgentOptions[K] | undefined },
): Promise<Client> {
  const options: ClientOptions = {
    capabilities: onForm === undefined ? {} : { elicitation: { form: {} } },
    ...(revision === '2026-07-28' ? { versionNegotiation: { mode: 'auto' } } : {}),
  };
  const client = new Client({ name: 'scripted-agent', version: '1' }, options);
  if (onForm !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => (await onForm(params)) as never);
  await client.connect(transport);
  return client;
}

/** Every tool, by its name. */
export const TOOLS = new Map(
  [...READING_TOOLS, CREATE_TOOL, REFUND_TOOL, ...SANDBOX_TOOLS].map((tool) => [tool.name, tool]),
);

const validators = new Map<string, ReturnType<typeof ajv.compile>>();

/** What the schema of the command says against a result; nothing of an approval, which no command prints. */
function mismatches(tool: string, result: Readonly<Record<string, unknown>>): unknown {
  const { command = '', list, shape } = TOOLS.get(tool) ?? {};
  const name = shape ?? table.resultName(command);
  if (name === null || result['approval'] !== undefined) return null;
  const validate = validators.get(name) ?? ajv.compile(shapeSchema(name));
  validators.set(name, validate);
  const items = list === undefined ? [result] : (result[list] as readonly unknown[]);
  return items.every((item) => validate(item)) ? null : validate.errors;
}

/** Calls a tool of a host, and reads what came back. Throws for a result that is not the JSON of its command. */
export function calling(client: Client) {
  return async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolOutcome> => {
    const answer = await client.callTool({ name, arguments: args });
    const [first] = answer.content;
    const text = first?.type === 'text' ? first.text : '';
    const isError = answer.isError === true;
    const json = text.slice(text.indexOf('\n') + 1);
    const result = isError ? (json.startsWith('{') ? JSON.parse(json).error : {}) : answer.structuredContent;
    const wrong = isError ? null : mismatches(name, result as ToolOutcome['result']);
    if (wrong !== null) throw new TypeError(`${name}: ${JSON.stringify(wrong)}`);
    return { isError, result: result as ToolOutcome['result'], text };
  };
}
