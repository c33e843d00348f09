// Loaded into every test process before its file, which then loads the server in less time.
import { importQuickly } from '#kernel/quick-imports.ts';

importQuickly();
