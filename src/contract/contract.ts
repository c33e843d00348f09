// The APIs: every endpoint by its operation name.
import { httpreqAutomation } from './automation/httpreq.ts';
import { powerdnsAutomation } from './automation/powerdns.ts';
import type { Endpoint } from './endpoint.ts';
import { billingLegacy } from './legacy/billing.ts';
import { clientLegacy } from './legacy/client.ts';
import { dnsLegacy } from './legacy/dns.ts';
import { ipmiLegacy } from './legacy/ipmi.ts';
import { networkLegacy } from './legacy/network.ts';
import { softwareLegacy } from './legacy/software.ts';
import { vpsLegacy } from './legacy/vps.ts';
import { accountOperator } from './operator/account.ts';
import { backupOperator } from './operator/backup.ts';
import { deviceOperator } from './operator/device.ts';
import { changeOperator } from './operator/change.ts';
import { fleetOperator } from './operator/fleet.ts';
import { adoptionOperator } from './operator/adoption.ts';
import { migrationOperator } from './operator/migration.ts';
import { nodeOperator } from './operator/node.ts';
import { switchOperator } from './operator/switch.ts';
import { moneyOperator } from './operator/money.ts';
import { reportOperator } from './operator/report.ts';
import { maintenanceOperator } from './operator/maintenance.ts';
import { noteOperator } from './operator/note.ts';
import { recordOperator } from './operator/record.ts';
import { searchOperator } from './operator/search.ts';
import { impersonationOperator } from './operator/impersonation.ts';
import { licenceOperator } from './operator/licence.ts';
import { keyOperator } from './operator/key.ts';
import { billingOperator } from './operator/billing.ts';
import { mailOperator } from './operator/mail.ts';
import { nullrouteOperator } from './operator/nullroute.ts';
import { operatorOperator } from './operator/operator.ts';
import { pricingOperator } from './operator/pricing.ts';
import { privacyOperator } from './operator/privacy.ts';
import { requestOperator } from './operator/request.ts';
import { serviceOperator } from './operator/service.ts';
import { passkeyOperator } from './operator/passkey.ts';
import { recoveryOperator } from './operator/recovery.ts';
import { signUpOperator } from './operator/sign-up.ts';
import { sessionOperator } from './operator/session.ts';
import { currencyOperator } from './operator/currency.ts';
import { paymentOperator } from './operator/payment.ts';
import { sepaOperator } from './operator/sepa.ts';
import { taxOperator } from './operator/tax.ts';
import { workOperator } from './operator/work.ts';
import { accountV2 } from './v2/account.ts';
import { actionV2 } from './v2/action.ts';
import { deviceV2 } from './v2/device.ts';
import { deviceFactsV2 } from './v2/device-facts.ts';
import { dnsV2 } from './v2/dns.ts';
import { eventV2 } from './v2/event.ts';
import { invitationV2 } from './v2/invitation.ts';
import { keyV2 } from './v2/key.ts';
import { machineV2 } from './v2/machine.ts';
import { machineBackupV2 } from './v2/machine-backup.ts';
import { machineImageV2 } from './v2/machine-image.ts';
import { machineSizeV2 } from './v2/machine-size.ts';
import { machineSnapshotV2 } from './v2/machine-snapshot.ts';
import { machineVolumeV2 } from './v2/machine-volume.ts';
import { metricsV2 } from './v2/metrics.ts';
import { mailV2 } from './v2/mail.ts';
import { networkV2 } from './v2/network.ts';
import { personV2 } from './v2/person.ts';
import { planV2 } from './v2/plan.ts';
import { pricingV2 } from './v2/pricing.ts';
import { privacyV2 } from './v2/privacy.ts';
import { maintenanceV2 } from './v2/maintenance.ts';
import { sessionV2 } from './v2/session.ts';
import { sshKeyV2 } from './v2/ssh-key.ts';
import { supportV2 } from './v2/support.ts';
import { statementV2 } from './v2/statement.ts';
import { paymentV2 } from './v2/payment.ts';
import { sepaV2 } from './v2/sepa.ts';
import { taxV2 } from './v2/tax.ts';
import { tsigV2 } from './v2/tsig.ts';
import { signUpV2 } from './v2/sign-up.ts';
import { signOnV2 } from './v2/sign-on.ts';
import { webhookV2 } from './v2/webhook.ts';

export const v2 = {
  ...accountV2,
  ...taxV2,
  ...paymentV2,
  ...sepaV2,
  ...statementV2,
  ...signUpV2,
  ...invitationV2,
  ...mailV2,
  ...privacyV2,
  ...keyV2,
  ...sessionV2,
  ...personV2,
  ...sshKeyV2,
  ...supportV2,
  ...actionV2,
  ...eventV2,
  ...signOnV2,
  ...webhookV2,
  ...deviceV2,
  ...deviceFactsV2,
  ...pricingV2,
  ...machineV2,
  ...machineSnapshotV2,
  ...machineImageV2,
  ...machineBackupV2,
  ...machineSizeV2,
  ...machineVolumeV2,
  ...metricsV2,
  ...dnsV2,
  ...tsigV2,
  ...networkV2,
  ...planV2,
  ...maintenanceV2,
} as const;
export const legacy = {
  ...ipmiLegacy,
  ...clientLegacy,
  ...vpsLegacy,
  ...networkLegacy,
  ...softwareLegacy,
  ...dnsLegacy,
  ...billingLegacy,
} as const;
export const operator = {
  ...sessionOperator,
  ...passkeyOperator,
  ...recoveryOperator,
  ...operatorOperator,
  ...serviceOperator,
  ...deviceOperator,
  ...accountOperator,
  ...taxOperator,
  ...paymentOperator,
  ...sepaOperator,
  ...currencyOperator,
  ...signUpOperator,
  ...noteOperator,
  ...recordOperator,
  ...searchOperator,
  ...keyOperator,
  ...impersonationOperator,
  ...backupOperator,
  ...requestOperator,
  ...licenceOperator,
  ...workOperator,
  ...mailOperator,
  ...privacyOperator,
  ...billingOperator,
  ...pricingOperator,
  ...moneyOperator,
  ...reportOperator,
  ...nullrouteOperator,
  ...maintenanceOperator,
  ...fleetOperator,
  ...nodeOperator,
  ...migrationOperator,
  ...adoptionOperator,
  ...switchOperator,
  ...changeOperator,
} as const;
/** For existing DNS tools, in the shapes that they expect. */
export const automation = { ...powerdnsAutomation, ...httpreqAutomation } as const;

/** The APIs that are ours to describe: with an OpenAPI document and an SDK. */
export const apis = { v2, legacy, operator } as const;
export type ApiName = keyof typeof apis;
export const servedApis = { ...apis, automation } as const;
export type ServedApi = keyof typeof servedApis;

/** Returns true if the public specifications do not have the endpoint. They describe no other APIs than these two. */
export function isAddition(api: ServedApi, { addition }: Endpoint): boolean {
  return addition === true || (api !== 'v2' && api !== 'legacy');
}
