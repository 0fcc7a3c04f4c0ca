// Builds dist/ by rolldown.config.mjs. Unlike rolldown's own command, it prints problems only.
import { build } from 'rolldown';
import configurations from '../rolldown.config.mjs';

await build(configurations);
