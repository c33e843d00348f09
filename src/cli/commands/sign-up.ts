// hostyard sign-up: creates an account with a provider that allows it.
import { solveChallenge, type SignUpRequestInput } from '#sdk/v2.ts';
import { localCommand, withYes, type YesOption } from '../command.ts';
import { confirm } from '../prompt.ts';
import { openClient, promptLink, urlOption } from './login.ts';

interface UrlOption {
  readonly url?: string;
}
type Person = Omit<SignUpRequestInput, 'terms' | 'challenge' | 'solution'>;
const optional = ['company', 'phone', 'address1', 'address2', 'city', 'state', 'postcode', 'language'] as const;

export const commands = [
  localCommand({
    usage: 'show',
    summary: 'Show who can sign up, and the terms to accept',
    options: (command) => command.option(...urlOption),
    async run(invocation, _, { url }: UrlOption) {
      await invocation.print.fields(await (await openClient(invocation, url)).signUpGet());
    },
  }),
  localCommand({
    usage: 'request',
    summary: 'Sign up: accept the terms and get a link by email',
    options: (command) => {
      withYes(command).option(...urlOption);
      for (const name of ['firstname', 'lastname', 'email', 'country']) command.requiredOption(`--${name} <text>`);
      for (const name of optional) command.option(`--${name} <text>`);
      command.option('--invitation <link>', 'The link or token of an invitation');
    },
    async run(invocation, _, { url, yes, invitation, ...person }: UrlOption & YesOption & Person) {
      const { shell, print } = invocation;
      const client = await openClient(invocation, url);
      const { termsversion, termsurl } = await client.signUpGet();
      const { challenge, difficulty } = await client.signUpChallenge();
      await confirm(shell, `Do you accept the terms, version ${termsversion} (${termsurl})?`, { yes: yes === true });
      const solution = await solveChallenge({ challenge, difficulty: Number(difficulty) });
      const token = invitation?.replace(/^.*#/, '');
      await client.signUpRequest({ ...person, invitation: token, terms: termsversion, challenge, solution });
      await print.text('A link was sent to the address. Then run hostyard sign-up complete.');
    },
  }),
  localCommand({
    usage: 'complete',
    summary: 'Choose your password with the link from the message',
    options: (command) => command.option(...urlOption),
    async run(invocation, _, { url }: UrlOption) {
      const client = await openClient(invocation, url);
      const { status } = await client.signUpComplete(await promptLink(invocation.shell));
      await invocation.print.text(
        status === 'Active'
          ? 'Account created. Sign in with hostyard login --email.'
          : 'Address confirmed. You will get an email when the provider has decided.',
      );
    },
  }),
];
