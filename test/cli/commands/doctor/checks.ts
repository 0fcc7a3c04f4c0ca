import type { DoctorCheck } from '../../../../src/cli/commands/doctor/view.ts';

/** What `doctor --json` has printed. */
export function checksIn({ stdout }: { readonly stdout: string }) {
  const { checks, ok } = JSON.parse(stdout) as {
    readonly checks: readonly DoctorCheck[];
    readonly ok: boolean;
  };
  return { checks, ok, of: (name: string) => checks.find((check) => check.name === name) };
}
