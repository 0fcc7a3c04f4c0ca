import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inputRequired } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { READS, type Tool } from '../../../../src/cli/commands/mcp/tool.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { served } from './agent.ts';
import { overHttp } from './http-server.ts';

const SUITE = join('test', 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const ON_NODE_20 = join(import.meta.dirname, 'conformance-on-node-20.mjs');

/** One check of the suite. */
interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** Runs the official suite against the tools of the sandbox over HTTP. */
async function checksOf(which: readonly string[]): Promise<readonly Check[]> {
  const out = await temporaryFolder();
  const { server } = await served(
    { home: await temporaryFolder() },
    ['request_state', 'tampered_state'].map(asking),
  );
  const { url, close } = await overHttp(server);
  const args = ['--import', ON_NODE_20, SUITE, 'server', '--url', url, ...which, '-o', out];
  await new Promise((resolve) => spawn(process.execPath, args).on('close', resolve));
  await close();
  return readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('checks.json'))
    .flatMap((file) => JSON.parse(readFileSync(join(out, file), 'utf8')) as Check[]);
}

/** A tool that the suite calls by its name: it asks as create_swap does, with the same signed state. */
function asking(name: string): Tool {
  const empty = { type: 'object', properties: {} };
  return {
    name: `test_input_required_result_${name}`,
    title: name,
    description: name,
    input: empty,
    output: empty,
    annotations: READS,
    run: async ({ form, confirmations }) => {
      if (form !== null) return { state: `${confirmations.redeem(form.state).digest}-ok` };
      const { id } = confirmations.issue({ digest: 'state', amount: '1', receive: '1', byForm: true });
      const question = inputRequired.elicit({
        message: 'Go on?',
        requestedSchema: { type: 'object', properties: {} },
      });
      return inputRequired({ requestState: id, inputRequests: { form: question } });
    },
  };
}

/** Prompts, resources, completions, logging, and the tools with which the suite tries what a server may do besides. */
const NOT_OFFERED = /Method not found|tool\b.*\bnot found|returned JSON-RPC error -32601|not testable/is;

/** What the suite says of extensions and tools that are not offered without naming them. */
const BASELINE = [
  'sep-2322-multi-round-r1',
  'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
  'sep-2663-server-returns-missing-capability-when-required',
  'sep-2663-tasks-get-invalid-task-id-32602',
  'sep-2663-tasks-methods-non-declaring',
  'tasks-extension-advertised',
];

it.each([
  ['2025-11-25', ['--spec-version', '2025-11-25', '--suite', 'all'], [], ['server-initialize', 'ping']],
  [
    '2026-07-28',
    ['--requirements', '2026-07-28'],
    BASELINE,
    [
      'sep-2549-tools-list-caching-hints',
      'sep-2243-server-reject-invalid-headers',
      'sep-2575-server-unsupported-version-error',
      'sep-2322-reject-tampered-state',
      'sep-2322-request-state-incomplete',
      'sep-2322-request-state-complete',
    ],
  ],
])(
  'the official MCP conformance suite fails only for features not offered, in revision %s',
  async (_, which, baseline, passed) => {
    const checks = await checksOf(which);
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    const others = failed.filter(({ errorMessage = '' }) => !NOT_OFFERED.test(errorMessage));
    expect(others.map(({ id }) => id).toSorted()).toEqual(baseline);
    const succeeded = checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id);
    for (const id of [
      'tools-list',
      'tools-name-format',
      'wire-schema-valid',
      'localhost-host-rebinding-rejected',
      ...passed,
    ])
      expect(succeeded).toContain(id);
  },
);
