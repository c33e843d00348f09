// The thread of one transfer. Plain JavaScript, so that the thread has no types left to strip in its first file.
import { serveTransfer } from './thread.ts';

await serveTransfer();
