import type * as Service from '@roster/api';
import type {
  AnyTRPCProcedure,
  AnyTRPCSubscriptionProcedure,
  inferRouterError,
  inferRouterInputs,
  inferRouterOutputs,
  TRPCBuiltRouter,
} from '@trpc/server';
import { expectTypeOf } from 'vitest';
import type * as Published from './contract.ts';

type Inputs = inferRouterInputs<Published.AppRouter>;
type Outputs = inferRouterOutputs<Published.AppRouter>;

/** Without subscriptions: `client.events.follow` is there for them. */
type Calls<Routes> = {
  [Name in keyof Routes as Routes[Name] extends AnyTRPCSubscriptionProcedure
    ? never
    : Name]: Routes[Name] extends AnyTRPCProcedure ? Routes[Name] : Calls<Routes[Name]>;
};
type Root = Service.AppRouter['_def']['_config']['$types'];
type ServiceRouter = TRPCBuiltRouter<Root, Calls<Service.AppRouter['_def']['record']>>;
type ServiceInputs = inferRouterInputs<ServiceRouter>;
type ServiceOutputs = inferRouterOutputs<ServiceRouter>;

// What is published by hand of a script is what the service is made of: every procedure, input, output and error.
expectTypeOf<Inputs>().toEqualTypeOf<ServiceInputs>();
expectTypeOf<Outputs>().toEqualTypeOf<ServiceOutputs>();
expectTypeOf<inferRouterError<Published.AppRouter>>().toEqualTypeOf<inferRouterError<Service.AppRouter>>();

expectTypeOf<Published.Office>().toEqualTypeOf<Service.Office>();
expectTypeOf<Published.Problem>().toEqualTypeOf<Service.Problem>();
expectTypeOf<Published.Reason>().toEqualTypeOf<Service.Reason>();
expectTypeOf<Published.Scope>().toEqualTypeOf<Service.Scope>();
