import type * as Service from '@roster/api';
import type { inferRouterError, inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { expectTypeOf } from 'vitest';
import type * as Published from './contract.d.ts';

type Inputs = inferRouterInputs<Published.AppRouter>;
type Outputs = inferRouterOutputs<Published.AppRouter>;

type ServiceInputs = inferRouterInputs<Service.AppRouter>;
type ServiceOutputs = inferRouterOutputs<Service.AppRouter>;

// The generated contract has the service's types: every procedure, input, output and error.
expectTypeOf<Inputs>().toEqualTypeOf<ServiceInputs>();
expectTypeOf<Outputs>().toEqualTypeOf<ServiceOutputs>();
expectTypeOf<inferRouterError<Published.AppRouter>>().toEqualTypeOf<inferRouterError<Service.AppRouter>>();

expectTypeOf<Published.Office>().toEqualTypeOf<Service.Office>();
expectTypeOf<Published.Problem>().toEqualTypeOf<Service.Problem>();
expectTypeOf<Published.ProblemCode>().toEqualTypeOf<Service.ErrorCode>();
expectTypeOf<Published.Scope>().toEqualTypeOf<Service.Scope>();
