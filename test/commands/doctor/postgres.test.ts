import { expect, it } from 'vitest';
import type { DoctorCheck } from '../../../src/views/checks/doctor.ts';
import { freshPostgres } from '../../database/postgres/fresh.ts';
import { temporaryFolder } from '../../helpers/home.ts';
import { runHere } from '../../helpers/run-here.ts';

it('looks at a ledger on PostgreSQL without making it, and tells its version', async () => {
  const home = await temporaryFolder();
  const env = { SWAPCTL_LEDGER: await freshPostgres() };
  const ledger = async () => {
    const { stdout } = await runHere(['doctor', '--json', '--sandbox'], { home, env });
    const { checks } = JSON.parse(stdout) as { checks: DoctorCheck[] };
    return checks.find(({ name }) => name === 'ledger');
  };
  for (let look = 0; look < 2; look += 1)
    expect(await ledger()).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^PostgreSQL at .*: none yet;/),
    });
  await runHere(['history'], { home, env });
  expect((await ledger())?.detail).toMatch(/^PostgreSQL at .*: version (\d+), this swapctl uses \1$/);
});
