// What the program loads only once it is needed, loaded before the first test of a file: on a busy machine it takes
// seconds, which would count for the time limit of the test that happens to be the first.
import '../../src/core/client/client.ts';
import '../../src/core/client/coin-list.ts';
import '../../src/cli/commands/create/create.ts';
import '../../src/cli/commands/create/run.ts';
import '../../src/cli/commands/history/history.ts';
import '../../src/cli/commands/status/status.ts';
import '../../src/core/ledger/ledger.ts';
import '../../src/sandbox/built-in.ts';
import '../../src/core/swap/addresses/check.ts';
import '../../src/cli/wiring.ts';
