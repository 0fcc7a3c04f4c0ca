import { describe, expect, it } from 'vitest';
import { inScene } from '../helpers/scene.ts';

describe.concurrent('a create with flags that contradict each other', () => {
  it.each([
    ['--memo', '12345', '--no-memo'],
    ['--no-memo', '--memo', '12345'],
    ['--memo', '12345', '--memo', '12346'],
  ])('%s %s %s is refused before anything is sent', (...memos) =>
    inScene({}, async (scene) => {
      const run = await scene.create(memos);
      expect(run.error()).toMatchObject({ code: 'usage', exitCode: 2, outcome: 'nothing-sent' });
      expect(scene.service.posts()).toBe(0);
    }),
  );
});

describe.concurrent('a watch that never learned anything', () => {
  it('ends with 8: the swap may still be open', () =>
    inScene({ 'get-transaction': (_seen, response) => response.writeHead(503).end('{}') }, async (scene) => {
      const run = await scene.run([
        'status',
        'KQWZPA',
        '--watch',
        '--interval',
        '1',
        '--timeout',
        '1s',
        '--json',
      ]);
      expect(run.code).toBe(8);
      expect(run.error()).toMatchObject({
        code: 'still_open',
        details: { order: 'KQWZPA', status: 'unknown' },
      });
      expect(run.stdout).toContain('"type":"end"');
    }));
});
