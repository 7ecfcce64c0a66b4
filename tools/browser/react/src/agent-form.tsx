import { type NewAgent, type RosterClient, RosterError } from '@roster/client';
import { checkNew, pathOfPointer } from '@roster/client/check';
import { type FieldErrors, type Path, type Resolver, set, useForm } from 'react-hook-form';

/** Checks an agent as the service does, without a request. */
const resolver: Resolver<NewAgent> = (agent) => {
  const errors: FieldErrors<NewAgent> = {};
  for (const { path, code, detail } of checkNew('agents', agent)) {
    set(errors, path.join('.'), { type: code, message: detail });
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: agent, errors: {} };
};

export function AgentForm({ client }: { client: RosterClient }) {
  const { register, handleSubmit, setError, formState } = useForm<NewAgent>({ resolver });
  const { errors, isSubmitSuccessful } = formState;
  const create = handleSubmit(async (agent) => {
    try {
      await client.agents.create.mutate(agent);
    } catch (error) {
      if (!(error instanceof RosterError)) throw error;
      // What only the service knows, such as an email that another agent has.
      for (const { pointer = '', detail } of error.errors)
        setError(pathOfPointer(pointer).join('.') as Path<NewAgent>, { message: detail });
    }
  });
  return (
    <form onSubmit={create} noValidate>
      <input {...register('firstName')} aria-label="First name" />
      {errors.firstName && <p role="alert">First name {errors.firstName.message}</p>}
      <input {...register('lastName')} aria-label="Last name" />
      {errors.lastName && <p role="alert">Last name {errors.lastName.message}</p>}
      <input {...register('email')} aria-label="Email" />
      {errors.email && <p role="alert">Email {errors.email.message}</p>}
      <button type="submit">Create</button>
      {isSubmitSuccessful && <p role="status">Created</p>}
    </form>
  );
}
