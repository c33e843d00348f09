// The handlers of all operations, by API. Typed by the contract: a declaration without a handler does not compile.
import type { servedApis, ServedApi } from '#contract/contract.ts';
import { httpreqHandlers } from './automation/httpreq.ts';
import { powerdnsHandlers } from './automation/powerdns.ts';
import { billingHandlers } from './legacy/billing.ts';
import { clientHandlers } from './legacy/client.ts';
import { ipmiHandlers } from './legacy/ipmi.ts';
import { dnsLegacyHandlers } from './legacy/dns.ts';
import { networkHandlers as networkLegacyHandlers } from './legacy/network.ts';
import { vpsHandlers } from './legacy/vps.ts';
import { softwareHandlers } from './legacy/software.ts';
import { accountHandlers as accountOperatorHandlers } from './operator/account.ts';
import { backupHandlers } from './operator/backup.ts';
import { deviceHandlers as deviceOperatorHandlers } from './operator/device.ts';
import { equipmentHandlers } from './operator/equipment.ts';
import { adoptionHandlers } from './operator/adoption.ts';
import { migrationHandlers } from './operator/migration.ts';
import { fleetHandlers } from './operator/fleet.ts';
import { customerPageHandlers } from './operator/customer.ts';
import { impersonationHandlers } from './operator/impersonation.ts';
import { keyHandlers as keyOperatorHandlers } from './operator/key.ts';
import { billingHandlers as billingOperatorHandlers } from './operator/billing.ts';
import { moneyHandlers } from './operator/money.ts';
import { mailHandlers as mailOperatorHandlers } from './operator/mail.ts';
import { maintenanceHandlers } from './operator/maintenance.ts';
import { nullrouteHandlers } from './operator/nullroute.ts';
import { operatorHandlers } from './operator/operator.ts';
import { privacyHandlers as privacyOperatorHandlers } from './operator/privacy.ts';
import { requestHandlers } from './operator/request.ts';
import { serviceHandlers } from './operator/service.ts';
import { signUpOperatorHandlers } from './operator/sign-up.ts';
import { currencyHandlers } from './operator/currency.ts';
import { paymentHandlers as paymentOperatorHandlers } from './operator/payment.ts';
import { sepaHandlers as sepaOperatorHandlers } from './operator/sepa.ts';
import { pricingHandlers as pricingOperatorHandlers } from './operator/pricing.ts';
import { taxHandlers as taxOperatorHandlers } from './operator/tax.ts';
import { workHandlers } from './operator/work.ts';
import { accountHandlers } from './v2/account.ts';
import { actionHandlers } from './v2/action.ts';
import { dnsHandlers } from './v2/dns.ts';
import { eventHandlers } from './v2/event.ts';
import { deviceHandlers } from './v2/device.ts';
import { deviceFactsHandlers } from './v2/device-facts.ts';
import { invitationHandlers } from './v2/invitation.ts';
import { keyHandlers } from './v2/key.ts';
import { machineHandlers } from './v2/machine.ts';
import { machineBackupHandlers } from './v2/machine-backup.ts';
import { machineSnapshotHandlers } from './v2/machine-snapshot.ts';
import { mailHandlers } from './v2/mail.ts';
import { networkHandlers as networkV2Handlers } from './v2/network.ts';
import { maintenanceV2Handlers } from './v2/maintenance.ts';
import { personHandlers } from './v2/person.ts';
import { planHandlers } from './v2/plan.ts';
import { privacyHandlers } from './v2/privacy.ts';
import { sessionHandlers } from './v2/session.ts';
import { machineVolumeHandlers } from './v2/machine-volume.ts';
import { metricsHandlers } from './v2/metrics.ts';
import { sshKeyHandlers } from './v2/ssh-key.ts';
import { supportHandlers } from './v2/support.ts';
import { statementHandlers } from './v2/statement.ts';
import { paymentHandlers } from './v2/payment.ts';
import { sepaHandlers } from './v2/sepa.ts';
import { pricingHandlers } from './v2/pricing.ts';
import { taxHandlers } from './v2/tax.ts';
import { tsigHandlers } from './v2/tsig.ts';
import { signUpHandlers } from './v2/sign-up.ts';
import { signOnHandlers } from './v2/sign-on.ts';
import { webhookHandlers } from './v2/webhook.ts';
import type { HandlersOf } from './handler.ts';
import type { AnyHandler } from './request.ts';

export const handlers: { readonly [F in ServedApi]: HandlersOf<(typeof servedApis)[F]> } = {
  v2: {
    ...accountHandlers,
    ...pricingHandlers,
    ...machineHandlers,
    ...machineBackupHandlers,
    ...machineSnapshotHandlers,
    ...taxHandlers,
    ...paymentHandlers,
    ...sepaHandlers,
    ...statementHandlers,
    ...signUpHandlers,
    ...invitationHandlers,
    ...mailHandlers,
    ...privacyHandlers,
    ...keyHandlers,
    ...sessionHandlers,
    ...personHandlers,
    ...sshKeyHandlers,
    ...machineVolumeHandlers,
    ...metricsHandlers,
    ...supportHandlers,
    ...eventHandlers,
    ...signOnHandlers,
    ...webhookHandlers,
    ...actionHandlers,
    ...deviceHandlers,
    ...deviceFactsHandlers,
    ...dnsHandlers,
    ...tsigHandlers,
    ...networkV2Handlers,
    ...maintenanceV2Handlers,
    ...planHandlers((operation) => handlers.v2[operation as keyof typeof handlers.v2] as AnyHandler),
  },
  legacy: {
    ...clientHandlers,
    ...billingHandlers,
    ...ipmiHandlers,
    ...vpsHandlers,
    ...networkLegacyHandlers,
    ...softwareHandlers,
    ...dnsLegacyHandlers,
  },
  operator: {
    ...operatorHandlers,
    ...serviceHandlers,
    ...deviceOperatorHandlers,
    ...accountOperatorHandlers,
    ...pricingOperatorHandlers,
    ...taxOperatorHandlers,
    ...paymentOperatorHandlers,
    ...sepaOperatorHandlers,
    ...currencyHandlers,
    ...signUpOperatorHandlers,
    ...keyOperatorHandlers,
    ...customerPageHandlers,
    ...impersonationHandlers,
    ...backupHandlers,
    ...requestHandlers,
    ...workHandlers,
    ...mailOperatorHandlers,
    ...privacyOperatorHandlers,
    ...billingOperatorHandlers,
    ...moneyHandlers,
    ...nullrouteHandlers,
    ...maintenanceHandlers,
    ...fleetHandlers,
    ...equipmentHandlers,
    ...migrationHandlers,
    ...adoptionHandlers,
  },
  automation: { ...powerdnsHandlers, ...httpreqHandlers },
};
