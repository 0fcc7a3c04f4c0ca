import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scriptedPrompter } from '../../../helpers/prompter.ts';
import { AT_TERMINAL } from '../../../helpers/run-here.ts';
import { ADDRESSES } from '../../../helpers/swap-service.ts';
import { type Desk, deskWith } from '../batch/desk.ts';

const AT = Date.parse('2026-11-22T12:00:00Z');
const KEY = `ed25519:${'A'.repeat(43)}=`;
const RULES = [
  { cap: { coin: 'BTC', amount: '0.15', per: '24h', by: 'label:team' } },
  { require: ['label:team', 'minReceive'] },
  { count: { most: 1, per: '1h' } },
  { approve: { coin: 'BTC', above: '0.12', by: [KEY], within: '15m' } },
];
const swapOf = (amount: string) => ['BTC', 'ETH', amount, '-a', ADDRESSES.eth, '--label', 'team=ops'];

/** A desk with a policy, a swap of 0.1 BTC that it allowed, and a clock that stands still. */
async function limited() {
  const desk = await deskWith();
  const run: Desk['run'] = (args, options) =>
    desk.run(args, { now: () => AT, env: { SWAPCTL_ACTOR: 'ann' }, ...options });
  const file = desk.file('policy.json', JSON.stringify({ version: 1, rules: RULES }));
  const set = await run(['policy', 'set', file, '--yes'], { terminals: ['stdout', 'stderr'], columns: 60 });
  const made = await run(['create', ...swapOf('0.1'), '--min-receive', '0.001', '--yes']);
  expect([set.error, made.error]).toEqual([null, null]);
  const screen = async (columns: number, ...args: string[]) =>
    (await run(args, { terminals: ['stdout'], columns })).stdout;
  return { desk, run, file, set, screen };
}

it('policy set prints what the new policy tightens and loosens', async () => {
  const { desk, run, set } = await limited();
  expect(set.stderr).toContain(
    [
      ' Tightens  adds: at most 0.15 BTC per 24h for each team',
      ' Tightens  adds: require label:team, minReceive',
      ' Tightens  adds: at most 1 new swap per 1h',
      ' Tightens  adds: require an approval within 15m for deposits',
      '           above 0.12 BTC, signed by',
      `           ${KEY}`,
      '',
    ].join('\n'),
  );
  const none = desk.file('none.json', '{"version":1,"rules":[]}');
  const { stderr } = await run(['policy', 'set', none, '--yes'], { terminals: ['stderr'], columns: 200 });
  expect(stderr).toContain(
    ` Loosens  removes: require an approval within 15m for deposits above 0.12 BTC, signed by ${KEY}\n`,
  );
});

it('a refusal names the rule, the limit, and the used and remaining amount on any output', async () => {
  const { run, screen } = await limited();
  const check = ['policy', 'check', ...swapOf('0.13')];
  expect(await screen(60, ...check)).toBe(
    [
      ' Policy  refused',
      ' Rule 0  A deposit of 0.13 BTC is over the cap of 0.15 BTC',
      '         per 24h for team=ops. 0.1 BTC used, 0.05 BTC left.',
      ' Rule 1  The policy requires a minimum payout',
      '         (--min-receive).',
      ' Rule 2  Swaps created within 1h: 1, the limit is 1.',
      '',
    ].join('\n'),
  );
  expect(await screen(200, ...check)).toContain(
    ' Rule 0  A deposit of 0.13 BTC is over the cap of 0.15 BTC per 24h for team=ops. 0.1 BTC used, 0.05 BTC left.\n',
  );
  expect((await run(check)).stdout.split('\n').slice(0, 2)).toEqual([
    'decision\trefuse',
    'rule\tcap\tA deposit of 0.13 BTC is over the cap of 0.15 BTC per 24h for team=ops. 0.1 BTC used, 0.05 BTC left.\t0.15\t0.1\t0.05',
  ]);
});

it('policy show lists a stop first, then the remaining amount of each limit', async () => {
  const { run, screen } = await limited();
  await run(['policy', 'stop', '--reason', 'the wallet is being moved']);
  const { policy, head } = JSON.parse((await run(['policy', 'show', '--json'])).stdout);
  expect(await screen(200, 'policy', 'show')).toBe(
    [
      ' Profile      env',
      ' Environment  sandbox',
      ' Stopped      by ann at 2026-11-22T12:00:00.000Z. Reason: the wallet is being moved',
      ` Policy       ${policy}`,
      ' Rule 0       at most 0.15 BTC per 24h for each team',
      '              team=ops: 0.05 of 0.15 left, 0.1 used; more available in 1 day',
      ' Rule 1       require label:team, minReceive',
      ' Rule 2       at most 1 new swap per 1h',
      '              0 of 1 left, 1 used; more available in 1 hour',
      ` Rule 3       require an approval within 15m for deposits above 0.12 BTC, signed by ${KEY}`,
      ` Audit head   ${head}`,
      '',
    ].join('\n'),
  );
  for (const line of (await screen(60, 'policy', 'show')).split('\n'))
    expect(line.length <= 60 || /[0-9a-f]{64}|ed25519/.test(line), line).toBe(true);
  const rows = (await run(['policy', 'show'])).stdout.split('\n').map((line) => line.split('\t'));
  expect(rows[0]).toEqual(['stop', '2026-11-22T12:00:00.000Z', 'ann', 'the wallet is being moved']);
  expect(rows[1]?.slice(3)).toEqual(['team=ops', '0.15', '0.1', '0.05', '2026-11-23T12:00:00.000Z']);
  expect(rows[3]?.slice(3)).toEqual(['', '1', '1', '0', '2026-11-22T13:00:00.000Z']);
});

it('policy simulate counts past swaps that a policy would have refused, by rule', async () => {
  const { desk, run, screen, file } = await limited();
  expect(JSON.parse((await run(['policy', 'simulate', file, '--json'])).stdout)).toMatchObject({
    swaps: 1,
    allowed: 1,
    approvals: 0,
    refuses: 0,
    refused: [],
    rules: [{ kind: 'cap', refuses: 0 }, { kind: 'require' }, { kind: 'count' }, { kind: 'approve' }],
  });
  const small = desk.file(
    'small.json',
    '{"version":1,"rules":[{"cap":{"coin":"BTC","amount":"0.05","per":"order"}}]}',
  );
  expect(await screen(80, 'policy', 'simulate', small)).toContain(
    ' Rule 0         at most 0.05 BTC per order: 1 refused, 0 need approval\n ORDER1         2026-11-22T12:00:00.000Z 0.1 BTC:BTC to ETH:ETH:',
  );
  expect((await run(['policy', 'simulate', small, '--since', '2026-11-23'])).stdout).toBe(
    `0\t{"cap":{"coin":"BTC","amount":"0.05","per":"order"}}\t0\t0\n`,
  );
});

it('policy audit export does not overwrite a file, and verify detects a changed export', async () => {
  const { desk, run, screen } = await limited();
  const file = desk.file('unused', '').replace('unused', 'audit.jsonl');
  const { stdout } = await run(['policy', 'audit', 'export', file, '--json']);
  const { head } = JSON.parse(stdout) as { head: string };
  expect(head).toMatch(/^3:/);
  expect((await run(['policy', 'audit', 'export', file])).error).toMatchObject({
    code: 'usage',
    message: `${file} already exists; it was not overwritten.`,
  });
  expect((await run(['policy', 'audit', 'export', '-', '--json'])).stdout).toBe(readFileSync(file, 'utf8'));
  expect((await run(['policy', 'audit', 'verify', file, '--head', head])).stdout).toBe(`ok\t3\t${head}\n`);
  const [first = '', second = ''] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, `${first}\n${second.replace('0.1', '0.2')}\n`);
  expect((await run(['policy', 'audit', 'verify', file])).error).toMatchObject({
    ...{ code: 'differs', exitCode: 9, outcome: 'done' },
    message:
      'Audit chain verification failed at link 2. The content does not match its hash: it was changed.',
  });
  expect(await screen(80, 'policy', 'audit', 'verify', file, '--head', head)).toContain(
    ' Chain   The chain ends with link 2, before link 3 of the given head: the end\n         was cut off.\n',
  );
});

it('the review of a create shows the policy decision before the confirmation', async () => {
  const { run } = await limited();
  const prompter = scriptedPrompter([{ input: 'Create this swap?', answer: 'n' }]);
  const { stderr, error } = await run(['create', ...swapOf('0.01')], {
    prompter,
    terminals: AT_TERMINAL,
    columns: 60,
  });
  prompter.done();
  expect(error?.code).toBe('declined');
  expect(stderr).toContain(' Policy  refused\n Rule 1  The policy requires a minimum payout\n');
});
