// Signs in through an identity provider: staff through that of the site, customers through that of their account.
import { useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useStaffRead } from '../data/operations.ts';
import { customerApi, staffApi } from '../data/session.ts';
import { beginSignOn } from '../data/sign-on.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Icon } from './icons.tsx';
import { t } from '../text/text.ts';

interface SignOnButtonProps {
  readonly onError: (error: unknown) => void;
}

export function StaffSignOnButton({ onError }: SignOnButtonProps): JSX.Element | null {
  const { data } = useStaffRead('signOnGet', {}, { staysFreshMs: 60_000 });
  const { from } = useSearch({ strict: false });
  if (data?.available !== '1') return null;
  const begin = () => beginSignOn('staff', from, () => staffApi().signOnBegin());
  return <SignOnButton label={data.label} page="/panel/sign-in?staff=true" begin={begin} onError={onError} />;
}

/** The domain of the email address tells whose identity provider it is. */
export function CustomerSignOnButton({ email, onError }: SignOnButtonProps & { readonly email: string }): JSX.Element {
  const { from, account } = useSearch({ strict: false });
  const begin = async (): Promise<void> => {
    if (email === '') throw new Error(t('Enter your email address first.'));
    const chosen = account === undefined ? {} : { account: String(account) };
    await beginSignOn('customer', from, () => customerApi().signOnBegin({ email, ...chosen }));
  };
  return <SignOnButton label={t('Single sign-on')} page="/panel/sign-in" begin={begin} onError={onError} />;
}

interface ButtonProps extends SignOnButtonProps {
  readonly label: string;
  /** The sign-in page of the portal. */
  readonly page: string;
  readonly begin: () => Promise<void>;
}

function SignOnButton({ label, page, begin, onError }: ButtonProps): JSX.Element {
  const open = (): void => {
    // On top of another page, the sign-in happens in a new tab, so that nothing typed is lost.
    if (location.pathname !== '/panel/sign-in') window.open(page, '_blank', 'noopener');
    else void begin().catch(onError);
  };
  return (
    <ActionButton variant="default" leftSection={<Icon name="person" />} onClick={open}>
      {label}
    </ActionButton>
  );
}
