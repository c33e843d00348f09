// Runs a test app's reconcilers for attacks and null-routes as the server does.
import { networkReconcilers } from '#server/network-reconcilers.ts';
import { startReconcilers } from '#reconcilers/reconciler.ts';
import type { TestApp } from './app.ts';

export async function runNetworkReconcilers({ parts }: TestApp): Promise<AsyncDisposable> {
  const list = networkReconcilers(parts);
  const reconcilers = await startReconcilers(parts, list);
  parts.router.onSyncRequest(reconcilers.wake);
  return {
    async [Symbol.asyncDispose]() {
      await reconcilers.stop();
      // An aborted run closes its connections.
      await Promise.all(list.map((reconciler) => reconciler.run(AbortSignal.abort()).catch(() => {})));
    },
  };
}
