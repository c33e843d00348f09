// What staff do with an account: change its data, suspend and resume it, close it for good.
import type { JSX } from 'react';
import { useStaffChange } from '../../data/read.ts';
import { usePowerRefusal } from '../../data/who.ts';
import { AskFirst } from '../../parts/act.tsx';
import { FormAct, ReasonAct } from '../parts/form-act.tsx';
import { CustomerForm, type Customer } from './customer-form.tsx';

export function CustomerActions({ customer }: { customer: Customer }): JSX.Element {
  const refusal = usePowerRefusal()('operator:customers');
  const suspend = useStaffChange('accountSuspend', { done: 'The account is suspended.' });
  const resume = useStaffChange('accountResume', { done: 'The account is active again.' });
  const end = useStaffChange('accountClose', { done: 'The account is closed.' });
  const { id, status } = customer;
  const name = `${customer.firstname} ${customer.lastname}`;
  const isClosed = status === 'Closed' ? 'It is closed.' : undefined;
  return (
    <>
      <FormAct
        variant="default"
        title={`Change ${name}`}
        size="lg"
        reason={refusal ?? isClosed}
        form={(close) => <CustomerForm of={customer} close={close} onDone={close} />}
      >
        Change
      </FormAct>
      {status === 'Suspended' ? (
        <AskFirst
          variant="default"
          color="yard"
          reason={refusal}
          question={`Resume account ${id} of ${name}?`}
          consequence="The suspension is lifted, with that of the services that were suspended for its bills."
          yes="Resume"
          act={() => resume.mutateAsync({ id })}
        >
          Resume
        </AskFirst>
      ) : (
        <ReasonAct
          variant="default"
          title={`Suspend account ${id} of ${name}?`}
          about="It reads and pays, but changes nothing of its services, until it is resumed by hand."
          yes="Suspend"
          reason={refusal ?? isClosed}
          send={(reason) => suspend.mutateAsync({ id, reason })}
        >
          Suspend
        </ReasonAct>
      )}
      <AskFirst
        variant="light"
        color="red"
        reason={
          refusal ?? isClosed ?? (customer.services === '0' ? undefined : 'Its services have to be terminated first.')
        }
        question={`Close account ${id} of ${name} for good?`}
        consequence="Its keys end and nobody signs in to it any more. Its bills stay."
        typed={id}
        yes="Close for good"
        act={() => end.mutateAsync({ id })}
      >
        Close account
      </AskFirst>
    </>
  );
}
