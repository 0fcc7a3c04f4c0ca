import { describe, expect, it, onTestFinished } from 'vitest';
import type { SwapctlError } from '../../../../src/base/errors.ts';
import { freshPostgres } from '../../../core/database/postgres/fresh.ts';
import { temporaryFolder } from '../../../helpers/home.ts';
import { scriptedPrompter } from '../../../helpers/prompter.ts';
import { AT_TERMINAL, type RunHere, runHere } from '../../../helpers/run-here.ts';
import { profileAt } from '../../../helpers/scene.ts';
import { ADDRESSES, startSwapService } from '../../../helpers/swap-service.ts';
import { created } from '../batch/desk.ts';

/** Two machines, an agent's and an approver's, with a ledger on PostgreSQL between them. */
async function machines() {
  const service = await startSwapService({ 'create-transaction': created() });
  onTestFinished(() => service.close());
  const ledger = await freshPostgres();
  const machine = async (actor: string) => {
    const home = await temporaryFolder();
    const env = { ...profileAt(service.url), SWAPCTL_LEDGER: ledger, SWAPCTL_ACTOR: actor };
    return (args: readonly string[], more: Partial<RunHere> = {}) => runHere(args, { home, env, ...more });
  };
  return { service, agent: await machine('agent'), approver: await machine('approver') };
}

const CREATE = ['create', 'BTC', 'ETH', '0.5', '-a', ADDRESSES.eth, '--label', 'job=7', '--yes', '--json'];

/** A label whose value reads like two. */
const LIST = ['--label', 'x=1, y=2'];

/** A raw create with every field that a policy judges. */
const RAW = {
  ...{ depositCoin: 'BTC', depositNetwork: 'BTC', depositAmount: 0.5, typeSwap: 2, lastSource: 'deposit' },
  ...{ receiveCoin: 'XRP', receiveNetwork: 'XRP', receiveAddress: ADDRESSES.xrp, memo: '12345' },
  refundAddress: ADDRESSES.btcRefund,
};

/** Stores a policy that wants an approval of this machine's key. */
async function wantApproval(run: Awaited<ReturnType<typeof machines>>['agent']) {
  const { publicKey } = JSON.parse((await run(['policy', 'approvals', 'key', '--json'])).stdout);
  expect((await run(['policy', 'approvals', 'key'])).stdout.trim()).toBe(publicKey);
  const approve = { coin: 'BTC', above: '0.2', by: [publicKey], within: '15m' };
  const input = JSON.stringify({ version: 1, rules: [{ approve }] });
  expect((await run(['policy', 'set', '-', '--yes'], { input })).error).toBeNull();
}

/** The latest request that an approver sees. */
async function wantedOf(run: Awaited<ReturnType<typeof machines>>['approver']): Promise<string> {
  const { stdout } = await run(['policy', 'approvals', 'list', '--json']);
  const [latest] = JSON.parse(stdout) as { id: string }[];
  return latest?.id ?? '';
}

function idOf(error: SwapctlError | null): string {
  return (error?.details as { approval: { id: string } } | null)?.approval.id ?? '';
}

describe('policy approvals on a shared ledger', () => {
  it('are requested on one machine, granted on another, and used once', async () => {
    const { service, agent, approver } = await machines();
    await wantApproval(approver);
    const { error } = await agent(CREATE);
    expect(error).toMatchObject({ code: 'approval_required', exitCode: 12, outcome: 'nothing-sent' });
    const id = idOf(error);
    expect(error?.hint).toContain(`--approval ${id}`);
    const review = await approver(['policy', 'approvals', 'show', id], {
      terminals: ['stdout'],
      columns: 100,
    });
    for (const words of ['You send', '0.5 BTC on BTC', ADDRESSES.eth, 'job=7', 'pending', 'by agent'])
      expect(review.stdout).toContain(words);
    await agent(['policy', 'approvals', 'key']);
    expect((await agent(['policy', 'approvals', 'grant', id, '--yes'])).error).toMatchObject({
      code: 'policy_refused',
    });
    expect((await agent([...CREATE, '--approval', id])).error?.message).toContain('is not granted yet');
    expect((await approver(['policy', 'approvals', 'grant', id, '--yes'])).stdout).toContain(
      `Approved ${id}`,
    );
    const listed = await approver(['policy', 'approvals', 'list']);
    expect(listed.stdout).toContain(`${id}\tgranted\t`);
    const made = await agent([...CREATE, '--approval', id]);
    expect([made.error, service.posts()]).toEqual([null, 1]);
    expect((await agent([...CREATE, '--approval', id])).error?.message).toContain('was used before');
    const types = await agent(['policy', 'audit', 'list', '--json']);
    const links = JSON.parse(types.stdout) as { type: string; actor: string }[];
    const told = links.map(({ type, actor }) => `${type} ${actor}`).reverse();
    expect(told.slice(0, 8)).toEqual([
      'policy.set approver',
      'approval.requested agent',
      'decision agent',
      'decision agent',
      'approval.granted approver',
      'approval.used agent',
      'create agent',
      'outcome agent',
    ]);
    expect((await approver(['policy', 'audit', 'verify'])).error).toBeNull();
    const events = JSON.parse((await agent(['events', 'list', '--json'])).stdout) as { type: string }[];
    expect(events.map(({ type }) => type)).toContain('approval.granted');
  });

  it('make create --wait exit with 12 if refused, and let a later batch run if granted', async () => {
    const { service, agent, approver } = await machines();
    await wantApproval(approver);
    const sleep = async () => {
      await approver(['policy', 'approvals', 'refuse', await wantedOf(approver)]);
    };
    const refused = await agent([...CREATE, '--wait'], { sleep });
    expect(refused.error).toMatchObject({ code: 'approval_required', exitCode: 12 });
    const rows = `from,to,amount,address\nBTC,ETH,0.6,${ADDRESSES.eth}\n`;
    const batch = () => agent(['batch', '-', '--yes', '--json'], { input: rows });
    const wants = await batch();
    expect(wants.error).toMatchObject({ code: 'approval_required', exitCode: 12 });
    expect(JSON.parse(wants.stdout).error.hint).toMatch(
      / grant apr_\w+`, and run the same command again before /,
    );
    await approver(['policy', 'approvals', 'grant', await wantedOf(approver), '--yes']);
    expect([(await batch()).error, service.posts()]).toEqual([null, 1]);
  });

  it.each([
    [
      'create',
      [...CREATE, ...`--fixed --min-receive 1 --refund-address ${ADDRESSES.btcRefund}`.split(' '), ...LIST],
      ['0.5 BTC on BTC', 'ETH on ETH', ADDRESSES.eth, ADDRESSES.btcRefund, 'job=7', 'fixed', '1', 'x=1, y=2'],
    ],
    [
      'api',
      ['api', 'create-transaction', '-X', 'POST', '--yes', '--input', '-'],
      ['0.5 BTC on BTC', 'XRP on XRP', ADDRESSES.xrp, '12345', ADDRESSES.btcRefund, 'float'],
    ],
  ])('show every signed field of a request made by %s', async (_door, args, parts) => {
    const { agent, approver } = await machines();
    await wantApproval(approver);
    const { error } = await agent(args, { input: JSON.stringify(RAW) });
    const id = idOf(error);
    const show = ['policy', 'approvals', 'show', id];
    const screen = (await approver(show, { terminals: ['stdout'], columns: 120 })).stdout;
    const grant = ['policy', 'approvals', 'grant', id];
    const prompter = scriptedPrompter([{ confirm: 'Approve this request?', answer: false }]);
    const asked = await approver(grant, { terminals: AT_TERMINAL, columns: 120, prompter });
    const pipe = (await approver(show)).stdout;
    const { digest, account, policy, requestedAt, until } = JSON.parse(
      (await approver([...show, '--json'])).stdout,
    );
    expect(pipe).toContain(`Requested\tby agent at ${requestedAt}\nUntil\t${until}\n`);
    const { stderr } = await approver(grant);
    expect(stderr).toMatch(/^profile env · sandbox · /);
    for (const part of [...parts, digest, account, policy])
      for (const text of [screen, asked.stderr, stderr, pipe]) expect(text).toContain(part);
    for (const line of pipe.trimEnd().split('\n')) expect(line).toMatch(/^[^\t]+\t[^\t]+$/);
    const row = (await approver(['policy', 'approvals', 'list'])).stdout;
    for (const part of parts.slice(2, 4)) expect(row).toContain(part);
  });
});
