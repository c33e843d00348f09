// The thread of the built-in name server. Plain JavaScript, so that an install can compile everything that it loads by importing it,
// without starting a name server, and the thread has no types left to strip.
import { runNameServer } from './run-name-server.ts';

await runNameServer();
