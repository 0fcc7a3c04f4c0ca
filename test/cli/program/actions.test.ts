import { describe, expect, it } from 'vitest';
import type { ErrorCode, ErrorJson } from '../../../src/base/errors.ts';
import { EXIT_CODES, restated, SwapctlError } from '../../../src/base/errors.ts';
import { finalErrorJson } from '../../../src/cli/program.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';
import { profileAt } from '../../helpers/scene.ts';
import { ADDRESSES, type Answer, startSwapService, WELL } from '../../helpers/swap-service.ts';

const HISTORY = 'history --status unknown';
const KEY_PAIR = ['doctor', 'auth status'];

/** The next commands of each code, of which the others have none, for an error about the coin USDT and the order KQWZPA. */
const EXPECTED: Partial<Record<ErrorCode, readonly string[]>> = {
  internal: [HISTORY, 'doctor'],
  network_required: ['networks USDT'],
  unknown_coin: ['coins USDT'],
  unknown_network: ['networks USDT'],
  invalid_config: ['doctor'],
  not_found: ['history'],
  no_credentials: ['auth login', 'auth list'],
  invalid_public_key: KEY_PAIR,
  invalid_payload: KEY_PAIR,
  invalid_signature: KEY_PAIR,
  network_error: ['doctor'],
  timeout: ['doctor'],
  bad_response: ['doctor'],
  outcome_unknown: [HISTORY],
  still_open: ['status KQWZPA --watch'],
  swap_failed: ['status KQWZPA'],
  storage_failed: ['doctor'],
  policy_refused: ['policy show'],
  approval_required: ['policy approvals show apr_01'],
  stopped: ['policy show'],
};

const lines = (error: SwapctlError) => error.actions.map(({ command }) => command.join(' '));
const ABOUT = { coin: 'USDT', order: 'KQWZPA', approval: { id: 'apr_01' } };

describe('the suggested next commands of an error', () => {
  it.each(Object.keys(EXIT_CODES) as ErrorCode[])('for %s are the expected read-only commands', (code) => {
    const error = new SwapctlError(code, 'It failed.', { details: ABOUT });
    expect(lines(error)).toEqual((EXPECTED[code] ?? []).map((line) => `swapctl ${line}`));
    expect(lines(restated(error, 'In other words.', {}))).toEqual(lines(error));
    expect(error.toJSON().actions).toEqual(error.actions);
    for (const { command, why } of error.actions) {
      expect(['create', 'refund', 'batch', 'api', '--yes']).not.toContain(command[1]);
      expect(why).toMatch(/\S/);
    }
  });

  it.each(['--yes', 'A B', '\u001b[2J', '; rm -rf ~', '$(id)', '', 'A'.repeat(200)])(
    'leave out the invalid coin, order or approval id %j',
    (text) => {
      const details = { coin: text, order: text, approval: { id: text } };
      expect(lines(new SwapctlError('unknown_coin', 'No.', { details }))).toEqual(['swapctl coins']);
      for (const code of ['still_open', 'network_required', 'swap_failed', 'approval_required'] as const)
        expect(lines(new SwapctlError(code, 'No.', { details }))).toEqual([]);
    },
  );

  it.each([
    [['quote', 'BTC', 'ETH', '1', '-p', 'prod'], { profile: 'prod' }, true],
    [['--sandbox', 'status', 'KQWZPA'], { sandbox: true }, true],
    [['create', 'BTC', 'ETH', '1', '--yes'], {}, false],
    [['refund', 'KQWZPA', '--yes'], {}, false],
    [['api', 'create-transaction', '-X', 'POST'], {}, false],
  ])('repeat the command %j only if it changes nothing', (argv, flags, repeated) => {
    const error = new SwapctlError('timeout', 'Late.', { retryable: true });
    const profile = 'profile' in flags ? ['-p', 'prod'] : 'sandbox' in flags ? ['--sandbox'] : [];
    expect(finalErrorJson(error, argv, flags).actions.map(({ command }) => command)).toEqual([
      ...(repeated ? [['swapctl', ...argv]] : []),
      ['swapctl', 'doctor', ...profile],
    ]);
    const unsure = new SwapctlError('timeout', 'Late.', { retryable: true, outcome: 'unknown' });
    expect(finalErrorJson(unsure, argv, {}).actions).toHaveLength(1);
  });

  it('name the profile of the run in the lines of a result', async () => {
    let cut = 0;
    // A read is sent three times before it counts as missed.
    const cutFirst = (): Answer => {
      let count = 0;
      return (seen, response, request) => {
        count += 1;
        if (count > 3) return WELL[seen.endpoint]?.(seen, response, request);
        cut += 1;
        request.socket.destroy();
      };
    };
    const service = await startSwapService({
      'exchange-coin': cutFirst(),
      'get-transaction': cutFirst(),
      'create-transaction': (_, response) => response.end('spoilt'),
    });
    const home = await temporaryFolder();
    const actionsOf = async (args: readonly string[], input = '') => {
      const { stdout } = await runHere([...args, '--json', '-p', 'env'], {
        home,
        env: profileAt(service.url),
        input,
        sleep: async () => undefined,
      });
      const lines = stdout.split('\n').filter((line) => line !== '');
      const failed = lines.map((line) => JSON.parse(line)).find(({ error }) => error);
      return (failed.error as ErrorJson).actions.map(({ command }) => command.join(' '));
    };
    const doctor = ['swapctl doctor -p env'];
    expect(await actionsOf(['quote', 'BTC', 'ETH', '1', '--watch', '--below', '30'])).toEqual(doctor);
    expect(await actionsOf(['history', 'import', '-'], 'KQWZPA\n')).toEqual(doctor);
    const rows = `from,to,amount,address\nBTC,ETH,1,${ADDRESSES.eth}\n`;
    expect(await actionsOf(['batch', '-', '--yes'], rows)).toEqual([`swapctl ${HISTORY} -p env`]);
    expect(cut).toBe(6);
    await service.close();
  });
});
