import { Transform, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { InterruptedError, UsageError } from '../../../base/errors.ts';
import { didYouMean } from '../../../base/suggest.ts';
import { echoed } from '../../../base/text.ts';
import type { Context } from '../../context.ts';
import type { CommandInput } from '../../operations/command-line.ts';
import type { OperationTable } from '../../operations/results.ts';
import type { Profile } from '../../settings/profile.ts';
import { CREATE_TOOL, REFUND_TOOL, SANDBOX_TOOLS } from './changing-tools.ts';
import { READING_TOOLS } from './reading-tools.ts';
import { ToolServer } from './server.ts';
import { type Permission, type Tool, toolOf } from './tool.ts';

/** Maximum size of a message, in bytes; a longer one gets an error, and ends the connection. */
const MAX_MESSAGE = 64 * 1024 * 1024;

const TOO_LONG = 'A message is larger than 64 MiB.';

/** Longest report of the protocol that is repeated, in characters. */
const MAX_REPORT = 200;

/** Serves tools until the host closes standard input. Throws for a signal, or for a message that is too long. */
export async function serveTools(context: Context, choice: ToolChoice): Promise<void> {
  const { streams, signal } = context;
  const server = new ToolServer(context, toolsFor(choice));
  if (streams.raw.stdin.isTTY === true)
    streams.note('Waiting for a host on standard input. Press Ctrl-C to stop. See docs/agents.md.');
  const output = new Writable({
    decodeStrings: false,
    write: (text, _encoding, done) => void streams.writeAsItCame(String(text)).then(() => done(), done),
  });
  let isTooLong = false;
  const lines = wholeLines(() => {
    isTooLong = true;
    // The id of the message is not known.
    const answer = { jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message: TOO_LONG } };
    output.write(`${JSON.stringify(answer)}\n`, () => void handle.close());
  });
  const { stdin } = streams.raw;
  const transport = new StdioServerTransport(stdin.pipe(lines), output, { maxBufferSize: 2 * MAX_MESSAGE });
  const handle = serveStdio(() => server.connection(), {
    transport,
    // The report on a malformed message is a page long.
    onerror: ({ message }) =>
      streams.note(`MCP: ${message.length > MAX_REPORT ? 'ignored a malformed message' : message}`, true),
  });
  const { onclose } = transport;
  await new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    signal.addEventListener('abort', () => void handle.close(), { once: true });
  });
  stdin.unpipe(lines).pause();
  await server.ended();
  if (isTooLong) throw new UsageError(TOO_LONG, 'Send a shorter message, and start `swapctl mcp` again.');
  const words = 'Stopped. `swapctl history` lists what was created.';
  if (signal.reason instanceof InterruptedError)
    throw new InterruptedError(signal.reason.signal, words, 'done');
}

/** The code of JSON-RPC for a message that cannot be read. */
const INVALID_REQUEST = -32600;

/** Passes on whole lines; what follows a line that is too long is dropped, after `onTooLong`. */
function wholeLines(onTooLong: () => void): Transform {
  let parts: Buffer[] = [];
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const end = chunk.lastIndexOf('\n') + 1;
      const isWithin = bytes <= MAX_MESSAGE;
      const isOver = bytes + (end === 0 ? chunk.length : chunk.indexOf('\n')) > MAX_MESSAGE;
      if (!isWithin || isOver) {
        if (isWithin) onTooLong();
        [parts, bytes] = [[], Number.POSITIVE_INFINITY];
        return done();
      }
      const lines = end === 0 ? null : Buffer.concat([...parts, chunk.subarray(0, end)]);
      const rest = chunk.subarray(end);
      if (lines !== null) parts = [];
      parts.push(rest);
      bytes = lines === null ? bytes + rest.length : rest.length;
      return lines === null ? done() : done(null, lines);
    },
  });
}

export interface ToolChoice {
  /** What the command with a path takes, and so the tool that is made of it. */
  readonly input: (path: string) => CommandInput | undefined;
  readonly table: OperationTable;
  readonly profile: Profile;
  /** What agents may change on a live profile; on a sandbox, everything. */
  readonly allowed: readonly Permission[];
  /** Null is all. */
  readonly named: readonly string[] | null;
}

/** The tools of a profile, always in the same order. Throws a usage error for a name that is not among them. */
export function toolsFor({ input, table, profile, allowed, named }: ToolChoice): readonly Tool[] {
  const may = (permission: Permission) => profile.environment === 'sandbox' || allowed.includes(permission);
  const tools = [
    ...READING_TOOLS,
    ...(may('create') ? [CREATE_TOOL] : []),
    ...(may('refund') ? [REFUND_TOOL] : []),
    ...(profile.kind === 'built-in' ? SANDBOX_TOOLS : []),
  ];
  const names = tools.map(({ name }) => name);
  for (const name of named ?? [])
    if (!names.includes(name))
      throw new UsageError(
        `Unknown tool ${echoed(name)} for profile ${profile.name}.`,
        didYouMean(names, name, `Choose from ${names.join(', ')}.`),
      );
  const served = tools.filter(({ name }) => named === null || named.includes(name));
  return served.map((tool) => toolOf(tool, input, table));
}
