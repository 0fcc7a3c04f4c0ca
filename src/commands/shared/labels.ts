import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { createRedactor } from '../../partner-api/redaction.ts';
import { secretReason } from '../../swap/addresses/secrets.ts';
import { checkLabel, type Labels } from '../../swap/labels.ts';
import { secretInMemo } from '../../swap/memo.ts';

/** Collects the values of an option that may be given several times. */
export function collected(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Reads `--label` as collected, `key=value` each. A refused value is not repeated, because it may be a secret. */
export function labelsArgument(texts: unknown): Labels {
  const labels = new Map<string, string>();
  for (const text of Array.isArray(texts) ? texts.map(String) : []) {
    const verdict = checkLabel(text);
    if (!verdict.ok)
      throw new UsageError(
        `Invalid label: ${verdict.reason}.`,
        'Use the form key=value, such as --label team=ops.',
      );
    if (labels.has(verdict.key)) throw new UsageError(`The label ${verdict.key} is set twice.`);
    labels.set(verdict.key, verdict.value);
  }
  return Object.fromEntries(labels);
}

/** Replaces the secret of the profile, and signatures made with it, in a text. */
export async function profileRedactor(
  context: Pick<Context, 'profile' | 'settings'>,
): Promise<(text: string) => string> {
  const profile = await context.profile();
  if (profile.kind !== 'remote') return (text) => text;
  return createRedactor({ ...profile, secret: await context.settings.secretOf(profile) });
}

/**
 * Refuses labels that contain a seed phrase, a private key, or the profile's own secret or a signature made with it,
 * without repeating them, before anything is recorded.
 */
export async function refuseSecretLabels(
  context: Pick<Context, 'profile' | 'settings'>,
  labels: Labels,
): Promise<void> {
  const texts = Object.entries(labels).flat();
  if (texts.length === 0) return;
  const profile = await context.profile();
  const redacted = await profileRedactor(context);
  for (const text of texts) {
    if (redacted(text) !== text)
      throw new UsageError(
        `Invalid label. It contains the secret of profile ${profile.name}, or a signature made with it.`,
        'Nothing was sent or stored.',
      );
    const secret = await secretInMemo('', text);
    if (secret === undefined) continue;
    throw new UsageError(`Invalid label. ${secretReason(secret, 'a label')}`, 'Nothing was sent or stored.');
  }
}
