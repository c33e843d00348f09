// Property tests import fast-check from here. `npm test` tries the same cases every time, so that it fails because of a
// change and not by chance; long runs look for new ones.
import fc from 'fast-check';
import { isLongRun } from './long-run.ts';

if (!isLongRun) fc.configureGlobal({ seed: 20_261_117 });

export { default as fc } from 'fast-check';
