import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { InterruptedError } from '../../../../src/base/errors.ts';
import { metricsText } from '../../../../src/cli/commands/listen/metrics.ts';
import { freePort } from '../../../helpers/free-port.ts';
import { rawServer } from '../../../helpers/raw-server.ts';
import { openShop } from './shop.ts';

/** The status with which a path is answered under a name of this machine. */
function statusOf(port: number, path: string, host: string, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('the metrics of swapctl listen', () => {
  it('are escaped as the Prometheus text format requires', () => {
    const samples = [{ labels: { type: 'a "quoted"\\ line\n' }, value: 2 }];
    expect(metricsText([{ name: 'x_total', help: 'Some.', type: 'counter', samples }])).toBe(
      '# HELP x_total Some.\n# TYPE x_total counter\nx_total{type="a \\"quoted\\"\\\\ line\\n"} 2\n',
    );
  });

  it('report swaps, transitions, requests, budget and undelivered events on loopback only', async () => {
    const shop = await openShop();
    const { url } = await rawServer((_, response) => response.writeHead(500).end());
    await shop.run(['listen', '--once', '--forward-to', url]);
    for (const order of ['AAAAAA', 'BBBBBB', 'CCCCCC']) await shop.create(order);
    shop.statuses.set('AAAAAA', 1).set('CCCCCC', 4);
    const port = await freePort();
    const abort = new AbortController();
    const listen = ['listen', '--metrics-port', String(port), '--interval', '0.1'];
    const run = shop.run([...listen, '--json'], { signal: abort.signal });
    const read = async () =>
      (await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null))?.text() ?? '';
    let text = '';
    while (!text.includes('swapctl_transitions_total{type="swap.success"}')) text = await read();
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const figures = new Map(lines.map((line) => line.split(/ (?=[^ ]*$)/) as [string, string]));
    expect(Object.fromEntries(figures)).toMatchObject({
      'swapctl_open_swaps{status="new"}': '1',
      'swapctl_open_swaps{status="confirmation"}': '1',
      'swapctl_transitions_total{type="swap.confirmation"}': '1',
      'swapctl_transitions_total{type="swap.success"}': '1',
      'swapctl_requests_total{code="200"}': expect.stringMatching(/^(?:[3-9]|\d{2})$/),
      swapctl_events_undelivered: '5',
      'swapctl_recent_swaps{pair="BTC:BTC ETH:ETH",state="open"}': '3',
      'swapctl_recent_swaps{pair="BTC:BTC ETH:ETH",state="paid"}': '0',
      'swapctl_recent_doubtful_swaps{pair="BTC:BTC ETH:ETH"}': '0',
      'swapctl_answers_total{endpoint="create-transaction",answer="ok"}': '3',
      // Of 60.
      swapctl_budget_left: expect.stringMatching(/^(?:\d|[1-4]\d|5[0-7])$/),
    });
    expect(figures.get('swapctl_oldest_open_swap_seconds{status="new"}')).toMatch(/^[0-9.]+$/);
    const own = `127.0.0.1:${port}`;
    expect(await statusOf(port, '/metrics', own)).toBe(200);
    expect(await statusOf(port, '/', own)).toBe(404);
    expect(await statusOf(port, '/metrics', own, 'POST')).toBe(404);
    expect(await statusOf(port, '/metrics', 'swap.example')).toBe(404);
    abort.abort(new InterruptedError('SIGTERM'));
    expect((await run).error).toMatchObject({ code: 'interrupted', exitCode: 143 });
    expect(await read()).toBe('');
  });

  it('cannot be served on a port that is in use', async () => {
    const shop = await openShop();
    const { url } = await rawServer(() => undefined);
    const { port } = new URL(url);
    const { error } = await shop.run(['listen', '--metrics-port', port]);
    expect(error).toMatchObject({
      code: 'usage',
      message: `The metrics cannot be served on 127.0.0.1:${port}: the port is in use.`,
    });
  });
});
