// Builds dist/ by the configuration beside this file. Unlike rolldown's own command, it prints problems only.
import { build } from 'rolldown';
import { keepBytecode } from './bytecode.mjs';
import configurations from './rolldown.config.mjs';

// One after the other: the program's removes old files from dist/, where the others write.
for (const configuration of configurations) await build(configuration);
await keepBytecode();
