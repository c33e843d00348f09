// The process of one transfer: performs the one that the server sends, and reports its result.
import { ApiError } from '#lib/api-error.ts';
import type { Message, Report } from './process.ts';
import { runTransfer, type TransferRequest } from './transfer.ts';

const controller = new AbortController();
process.on('message', async (message: Message) => {
  if ('abort' in message) controller.abort(new Error('the transfer was aborted'));
  else process.send!(await reportTransfer(message.request));
});

async function reportTransfer(request: TransferRequest): Promise<Report> {
  try {
    return { result: await runTransfer(request, controller.signal) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: error instanceof ApiError ? { code: error.code, message, internal: error.internal } : { message } };
  }
}
