import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { SwapctlError, UsageError } from '../../../base/errors.ts';
import { codeInBrackets, systemCode } from '../../../base/files.ts';
import { echoed, parsed } from '../../../base/text.ts';
import { localTime } from '../../../base/time.ts';
import * as chain from '../../../core/ledger/policy/chain.ts';
import type { Context } from '../../context.ts';
import { readInput } from '../../terminal/input.ts';
import type { View } from '../../terminal/streams.ts';
import { detailsView, tableView } from '../../views/columns.ts';
import { limitOption, SCREEN_LIMIT } from '../shared/arguments.ts';
import { guardMessageView } from '../shared/policy-shown.ts';

export function auditCommand(audit: Command, context: () => Context): void {
  audit
    .description(
      'A hash chain in the ledger that records every decision, approval, new swap, outcome, policy change and stop, and who made it.',
    )
    .helpCommand(false);
  audit
    .command('list')
    .description(
      'List the newest records (links of the chain); of all profiles unless -p or --sandbox is given.',
    )
    .addOption(limitOption())
    .addHelpText('after', '\nExamples:\n  $ swapctl policy audit list -L 20')
    .action((flags: { readonly limit?: number }) => list(context(), flags.limit ?? null));
  audit
    .command('export')
    .description('Write the whole chain as JSON lines, - for standard output.')
    .argument('<file>', 'new file, or - for standard output')
    .addHelpText('after', '\nExamples:\n  $ swapctl policy audit export audit.jsonl')
    .action((file: string) => exportChain(context(), file));
  audit
    .command('verify')
    .description('Check the chain of the ledger, or of an export. Exits with 9 if verification fails.')
    .argument('[file]', 'export to check instead of the ledger, or - for standard input')
    .option('--head <n:hash>', 'head saved earlier; detects a truncated or rewritten chain')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl policy audit verify\n  $ swapctl policy audit verify audit.jsonl --head 17:9f86d081…',
    )
    .action((file: string | undefined, flags: { readonly head?: string }) =>
      verify(context(), file ?? null, headOption(flags.head)),
    );
}

function headOption(text: string | undefined): chain.ChainHead | null {
  if (text === undefined) return null;
  const head = chain.readHead(text);
  if (head !== null) return head;
  throw new UsageError(`Invalid --head ${echoed(text)}: use a number, a colon and 64 hexadecimal digits.`);
}

async function list(context: Context, given: number | null): Promise<void> {
  const { streams } = context;
  const ledger = await context.ledger();
  const account = context.onlyProfile === null ? null : (await context.owner()).account;
  const limit = given ?? (streams.format === 'screen' ? SCREEN_LIMIT : null);
  const rows = await ledger.audit.newest(limit, account);
  await streams.print(auditView(rows.map(linkResult)));
  if (rows.length === 0) streams.note('The chain has no links.');
}

async function exportChain(context: Context, file: string): Promise<void> {
  const { streams } = context;
  const ledger = await context.ledger();
  if (file === '-') {
    for await (const { body, hash } of ledger.audit.links())
      await streams.writeAsItCame(`${chain.exportLine(body, hash)}\n`);
    return;
  }
  const descriptor = openNew(file);
  let head = chain.headText({ n: 0, hash: '0'.repeat(64) });
  try {
    for await (const { n, body, hash } of ledger.audit.links()) {
      writeFileSync(descriptor, `${chain.exportLine(body, hash)}\n`);
      head = chain.headText({ n, hash });
    }
  } catch (error) {
    rmSync(file, { force: true });
    if (systemCode(error) === null || error instanceof SwapctlError) throw error;
    throw new SwapctlError('write_failed', `${echoed(file)} could not be written${codeInBrackets(error)}.`);
  } finally {
    closeSync(descriptor);
  }
  const words = `Exported to ${echoed(file)}. Keep the head elsewhere: ${head}`;
  await streams.print(guardMessageView({ file, head }, words));
}

function openNew(file: string): number {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    if (systemCode(error) === 'EEXIST')
      throw new UsageError(`${echoed(file)} already exists; it was not overwritten.`);
    throw new SwapctlError('write_failed', `${echoed(file)} could not be written${codeInBrackets(error)}.`);
  }
}

async function verify(context: Context, file: string | null, head: chain.ChainHead | null): Promise<void> {
  const result =
    file === null ? await (await context.ledger()).audit.verify(head) : await verifyFile(context, file, head);
  await context.streams.print(verifiedView({ ...result, head: chain.headText(result.head) }));
  const [first] = result.problems;
  if (first === undefined) return;
  const where = first.n === null ? '' : ` at link ${first.n}`;
  throw new SwapctlError('differs', `Audit chain verification failed${where}. ${first.problem}`, {
    outcome: 'done',
    details: { problems: result.problems.length },
  });
}

async function verifyFile(context: Context, file: string, head: chain.ChainHead | null) {
  const text = await readInput(context.input(file), MAX_EXPORT_BYTES);
  const verifier = new chain.ChainVerifier(head);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) verifier.add(chain.readLine(line));
  return verifier.end();
}

const MAX_EXPORT_BYTES = 500_000_000;

/** A link as `--json` has it. */
export type LinkResult = Partial<chain.AuditLink> & { readonly n: number; readonly hash: string };

/** A stored link for output; an unreadable one is shown by its number and hash. */
function linkResult({ n, body, hash }: { n: number; body: string; hash: string }): LinkResult {
  return { ...(parsed(body) as chain.AuditLink | undefined), n, hash };
}

function auditView(links: readonly LinkResult[]): View {
  return tableView(
    links,
    (link) => {
      const { n, at = '', actor = '', profile = '', type = '', data, hash } = link;
      return [n, at, actor, profile, type, JSON.stringify(data ?? null), hash];
    },
    () => [
      { title: 'N', cell: ({ n }) => String(n) },
      { title: 'AT', cell: ({ at }) => (at === undefined ? '' : localTime(at)) },
      { title: 'ACTOR', cell: ({ actor = '' }) => actor },
      { title: 'PROFILE', cell: ({ profile = '' }) => profile },
      { title: 'TYPE', cell: ({ type = 'unreadable' }) => type },
      { title: 'DETAILS', wraps: true, cell: aboutText },
    ],
  );
}

function aboutText({ data = {} }: LinkResult): string {
  const keys = ['decision', 'reasons', 'outcome', 'order', 'id', 'reason', 'what'];
  const words = keys.flatMap((key) => data[key]);
  return words.filter((word) => typeof word === 'string').join(' ');
}

export type VerifiedChain = Omit<chain.ChainVerification, 'head'> & { readonly head: string };

function verifiedView(verified: VerifiedChain): View {
  const { links, head, problems } = verified;
  const ok = problems.length === 0;
  return detailsView(
    { ok, ...verified },
    (style) => [
      ['Chain', ok ? 'unchanged' : 'changed', ok ? style.green : style.red],
      ['Links', String(links)],
      ['Head', head],
      ...problems.map(
        ({ n, problem }) => [n === null ? 'Chain' : `Link ${n}`, problem, style.red, 'prose'] as const,
      ),
    ],
    () => [
      [ok ? 'ok' : 'changed', links, head],
      ...problems.map(({ n, problem }) => ['problem', n, problem]),
    ],
  );
}
