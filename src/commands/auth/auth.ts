import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { checkBaseUrl, checkProfileName, checkSupport } from '../../settings/profile.ts';
import { type Flags, readFlags } from '../shared/arguments.ts';
import { runLogin } from './login.ts';
import { runAuthList, runAuthStatus, runLogout, runSwitch } from './profiles.ts';

/** Declares `swapctl auth` and its verbs. */
export function authCommand(auth: Command, context: () => Context, login = runLogin): void {
  auth.description('Store, check and choose key pairs. Each profile has one key pair and one base URL.');
  auth.helpCommand(false);
  auth
    .command('login')
    .description('Store a key pair once the service has accepted it. No flag takes a secret.')
    .option('--base-url <url>', 'base URL of the partner API')
    .option('--public-key <key>', 'public key')
    .option('--with-secret', 'read the secret from standard input')
    .option('--environment <environment>', 'sandbox or live (default: sandbox on a loopback host, else live)')
    .option('--keychain', 'store the secret in the system keychain')
    .option('--support <contact>', 'https URL or mail address of the support, for `history support`')
    .option('-y, --yes', 'replace a stored key pair without asking')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl auth login -p prod --base-url https://api.example.com\n  $ pass show swap/prod | swapctl auth login -p prod --base-url https://api.example.com --public-key pk_1 --with-secret\n  $ swapctl auth login -p prod --base-url https://api.example.com --keychain',
    )
    .action((flags: Flags) => {
      const started = context();
      const { text, on } = readFlags(flags);
      const [environment, baseUrl, support] = [text('environment'), text('baseUrl'), text('support')];
      if (environment !== null && environment !== 'sandbox' && environment !== 'live') {
        throw new UsageError('--environment must be sandbox or live.');
      }
      return login(started, {
        name: started.flags.profile === undefined ? null : checkProfileName(started.flags.profile),
        baseUrl: baseUrl === null ? null : checkBaseUrl(baseUrl),
        publicKey: text('publicKey'),
        withSecret: on('withSecret'),
        environment,
        support: support === null ? null : checkSupport(support),
        keychain: on('keychain'),
        yes: on('yes'),
      });
    });
  auth
    .command('logout')
    .description('Remove the key pair of a profile (-p, or the current one).')
    .option('-y, --yes', 'skip the confirmation')
    .addHelpText('after', '\nExamples:\n  $ swapctl auth logout -p old')
    .action(({ yes = false }: { readonly yes?: boolean }) => runLogout(context(), { yes }));
  auth
    .command('status')
    .description('Show the current profile, where its secret is stored, and whether the service accepts it.')
    .addHelpText(
      'after',
      '\nExamples:\n  $ swapctl auth status\n  $ swapctl auth status -p prod --json | jq .verified',
    )
    .action(() => runAuthStatus(context()));
  auth
    .command('list')
    .description('List the profiles and mark the current one; env is the one from environment variables.')
    .addHelpText('after', '\nExamples:\n  $ swapctl auth list')
    .action(() => runAuthList(context()));
  auth
    .command('switch')
    .description('Set the current profile; `sandbox` is the built-in service.')
    .argument('<profile>', 'name of a stored profile, or sandbox')
    .addHelpText('after', '\nExamples:\n  $ swapctl auth switch prod\n  $ swapctl auth switch sandbox')
    .action((name: string) => runSwitch(context(), name));
}
