/** Variables that a started program does not get: secrets, and where they are. */
const SECRETS: ReadonlySet<string> = new Set([
  ...['SWAPCTL_SECRET', 'SWAPCTL_SECRET_FILE', 'SWAPCTL_SECRET_COMMAND', 'PGPASSWORD'],
]);

/** The environment for a program that swapctl starts: its own without the secrets. */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name, value]) => !SECRETS.has(name) && !isLedgerWithPassword(name, value)),
  );
}

function isLedgerWithPassword(name: string, value: string | undefined): boolean {
  if (name !== 'SWAPCTL_LEDGER' || value === undefined) return false;
  if (!URL.canParse(value)) return /^postgres/i.test(value);
  const { password, searchParams } = new URL(value);
  return password !== '' || searchParams.has('password');
}
