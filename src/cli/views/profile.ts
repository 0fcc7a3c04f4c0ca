import { type Environment, environmentWord } from '../../core/swap/swap.ts';
import type { View } from '../terminal/streams.ts';
import { detailsView, tableView } from './columns.ts';
import { environmentColour } from './status.ts';

/** A profile for display: where its secret is stored, never the secret. */
export interface ProfileResult {
  readonly name: string;
  readonly current: boolean;
  readonly environment: Environment;
  /** Null for the built-in service. */
  readonly baseUrl: string | null;
  readonly publicKey: string;
  readonly secret: SecretPlace;
  /** Whether the service has just accepted the key pair; null if it was not checked. */
  readonly verified: boolean | null;
  readonly state: KeyPairState;
}

/** Where a secret is stored, for people, and whether it is plain text there. */
export interface SecretPlace {
  /** For people: a file, the variables of the environment, a command, or the system's keychain. */
  readonly place: string;
  readonly plainText: boolean;
}

/** Results of checking a key pair, in words; null if it was not checked. */
const STATE_WORDS = {
  verified: 'accepted',
  refused: 'refused',
  unreachable: 'not checked: the service could not be reached',
  unproven: 'not checked: the service answered with an unrelated error',
  unreadable: 'not checked: the secret could not be read',
  unchecked: null,
};

export type KeyPairState = keyof typeof STATE_WORDS;

export function profileView(profile: ProfileResult): View {
  const { name, environment, baseUrl, publicKey, secret, state } = profile;
  return detailsView(profile, (style) => [
    ['Profile', name, style.bold],
    ['Environment', environmentWord(environment), environmentColour(style, environment)],
    ['Base URL', baseUrl ?? 'the built-in service'],
    ['Public key', publicKey],
    ['Secret', placeWords(secret), undefined, 'prose'],
    ['Key pair', STATE_WORDS[state], state === 'verified' ? style.green : style.yellow],
  ]);
}

export function profilesView(profiles: readonly ProfileResult[]): View {
  return tableView(
    profiles,
    (profile) => {
      const { name, current, environment, baseUrl, publicKey, secret } = profile;
      return [name, current ? 'current' : '', environment, baseUrl, publicKey, secret.place];
    },
    (style) => [
      {
        title: '  PROFILE',
        paint: style.bold,
        cell: ({ name, current }) => `${current ? '*' : ' '} ${name}`,
      },
      { title: 'ENVIRONMENT', cell: ({ environment }) => environmentWord(environment) },
      { title: 'BASE URL', cell: ({ baseUrl }) => baseUrl ?? '' },
      { title: 'PUBLIC KEY', cell: ({ publicKey }) => publicKey },
      { title: 'SECRET', wraps: true, cell: ({ secret }) => placeWords(secret) },
    ],
  );
}

function placeWords({ place, plainText }: SecretPlace): string {
  return `${plainText ? 'in plain text in' : 'from'} ${place}`;
}
