// The first import of files that share a process: if a later one waited, it would stop a test of an earlier one in the
// middle, and the test would miss its deadlines.
import { waitForInstallation } from './needs.ts';

waitForInstallation();
