// What the program loads only once it is needed, loaded before the first test of a file: on a busy machine it takes
// seconds, which would count for the time limit of the test that happens to be the first.
import '../../src/client/client.ts';
import '../../src/client/coin-list.ts';
import '../../src/commands/create/create.ts';
import '../../src/commands/create/run.ts';
import '../../src/commands/history/history.ts';
import '../../src/commands/status/status.ts';
import '../../src/ledger/ledger.ts';
import '../../src/sandbox/built-in.ts';
import '../../src/swap/addresses/check.ts';
import '../../src/wiring.ts';
