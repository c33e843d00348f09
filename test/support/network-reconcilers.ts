// The reconcilers of attacks and null-routes of a test yard, running as in a server.
import { networkReconcilers } from '#admin/network-reconcilers.ts';
import { startReconcilers } from '#reconcilers/reconciler.ts';
import type { TestYard } from './yard.ts';

export async function runNetworkReconcilers({ parts }: TestYard): Promise<AsyncDisposable> {
  const list = networkReconcilers(parts);
  const reconcilers = await startReconcilers(parts, list);
  parts.router.onPoke(reconcilers.wake);
  return {
    async [Symbol.asyncDispose]() {
      await reconcilers.stop();
      // A run that finds itself aborted hangs up.
      await Promise.all(list.map((each) => each.run(AbortSignal.abort()).catch(() => {})));
    },
  };
}
