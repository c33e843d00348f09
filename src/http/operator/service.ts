// Operator API: services.
import type { serviceOperator } from '#contract/operator/service.ts';
import { provisionOptions, servicePreview } from '#app/operator/provision-preview.ts';
import { serviceProvision, serviceRetry } from '#app/operator/provision.ts';
import { serviceResume, serviceSuspend, serviceTerminate } from '#app/operator/service-states.ts';
import { serviceGet, serviceList } from '#app/operator/services.ts';
import type { HandlersOf } from '../handler.ts';

export const serviceHandlers: HandlersOf<typeof serviceOperator> = {
  serviceList,
  serviceGet: (context, { id }) => serviceGet(context, id),
  serviceOptions: (context) => provisionOptions(context),
  servicePreview,
  serviceProvision,
  serviceRetry: (context, { id }) => serviceRetry(context, id),
  serviceSuspend: (context, { id, reason, how }) => serviceSuspend(context, id, reason, how),
  serviceResume: (context, { id }) => serviceResume(context, id),
  serviceTerminate: (context, { id, hostname, how }) => serviceTerminate(context, id, hostname, how),
};
