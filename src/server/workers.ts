// All job workers of the server.
import type { JobWorker } from '#queue/queue.ts';
import { workflows } from '#workflows/registry.ts';
import { workflowWorker } from '#workflows/engine/worker.ts';
import { recoveryWorker } from '#app/account/recovery.ts';
import { createBillingActions } from '#app/billing/run.ts';
import { createZoneSigning } from '#app/dns/dnssec-zones.ts';
import { createMachinePlanActions } from '#app/machines/resize.ts';
import { webhookWorker } from '#app/events/webhook-delivery.ts';
import { backupWorker } from '#app/machines/backup-worker.ts';
import { mailWorker } from '#app/mail/sending.ts';
import { maintenanceWorker } from '#app/operator/maintenance-notification.ts';
import { staffRecoveryWorker } from '#app/operator/recovery.ts';
import { exportWorker } from '#app/privacy/exports.ts';
import { createReclaimActions, tracesWorker } from '#app/servers/reclaims.ts';
import { createLicenceActions } from '#app/software/licence-orders.ts';
import { signUpWorker } from '#app/sign-up/requests.ts';
import type { App } from '#app/app.ts';

export function workers(app: App): JobWorker[] {
  return [
    webhookWorker(app),
    mailWorker(app),
    exportWorker(app),
    backupWorker(app),
    recoveryWorker(app),
    signUpWorker(app),
    staffRecoveryWorker(app),
    maintenanceWorker(app),
    tracesWorker(app),
    workflowWorker({
      ...app,
      deps: {
        ...app,
        billing: createBillingActions(app),
        licences: createLicenceActions(app),
        machinePlans: createMachinePlanActions(app),
        reclaims: createReclaimActions(app),
        zoneSigning: createZoneSigning(app),
      },
      workflows,
    }),
  ];
}
