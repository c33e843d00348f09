// What has to be settled before an account can be erased, in the panel's language. The API has sentences, in English.
import { moneyText } from '../../parts/money-text.ts';
import { t, tData } from '../../text/text.ts';

export interface ObstacleNames {
  /** Returns the hostname of a service, if it is known. */
  readonly hostnameOf: (service: string) => string | undefined;
  /** The prefix of amounts. */
  readonly currency: string;
}

export function obstacleText(obstacle: string, { hostnameOf, currency }: ObstacleNames): string {
  const [, services] = /^Terminate these services first: ([\d, ]+)\.$/.exec(obstacle) ?? [];
  if (services !== undefined)
    return t('Terminate these services first: {services}.', {
      services: services
        .split(', ')
        .map((service) => hostnameOf(service) ?? service)
        .join(', '),
    });
  const [, owed] = /^Pay the open amount of (\S+) first\.$/.exec(obstacle) ?? [];
  if (owed !== undefined) return t('Pay the open amount of {amount} first.', { amount: moneyText(owed, currency) });
  const [, credit] = /^The account has a credit of (\S+)\. Ask us to refund it first\.$/.exec(obstacle) ?? [];
  if (credit !== undefined)
    return t('The account has a credit of {amount}. Ask us to refund it first.', {
      amount: moneyText(credit, currency),
    });
  return tData(obstacle);
}
