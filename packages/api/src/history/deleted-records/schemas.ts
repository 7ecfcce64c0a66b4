import { z } from 'zod';
import {
  type Directory,
  forEachResource,
  type ResourceName,
  resourceNames,
} from '../../directory/registry.ts';
import { returnedTime } from '../../engine/fields/schemas.ts';
import { pageOf, pageQuery, repeated, sortDocs } from '../../engine/list/parameters.ts';
import { completed, eventFields } from '../../log/schemas.ts';

function deletedOf<Resource extends ResourceName, Shape extends z.ZodRawShape>(
  resource: Resource,
  record: z.ZodObject<Shape, z.core.$strict>,
  id: string,
) {
  return z
    .strictObject({
      id: eventFields.subject,
      resource: z.literal(resource).meta({ description: 'Resource of the record', example: resource }),
      deletedAt: returnedTime('When the record was deleted'),
      restorableUntil: returnedTime('Until when the record can be restored'),
      actorId: eventFields.actorId.meta({
        description: 'ID of the key or person that deleted the record',
        example: '01980a3f-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
        format: 'uuid',
      }),
      actor: eventFields.actor,
      reason: eventFields.reason,
      record: completed(record).meta({ description: 'Last state of the record' }),
    })
    .meta({ id, description: `One of the deleted ${resource} that can be restored` });
}

type DeletedRecords = {
  [Name in ResourceName]: ReturnType<typeof deletedOf<Name, Directory[Name]['schemas']['record']['shape']>>;
};
type DeletedSchema = DeletedRecords[ResourceName];
const deletedRecords = forEachResource<DeletedRecords>(({ name, schemas, texts }) =>
  deletedOf(name, schemas.record, `Deleted${texts.schema}`),
);

export const DeletedRecord = z
  .discriminatedUnion('resource', Object.values(deletedRecords) as [DeletedSchema, ...DeletedSchema[]])
  .meta({ id: 'DeletedRecord', description: 'A deleted record that can be restored' });
export type DeletedRecord = z.infer<typeof DeletedRecord>;

export const DeletedRecordQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['deletedAt', '-deletedAt'])
    .default('-deletedAt')
    .meta({ ...sortDocs, example: '-deletedAt' }),
  resource: repeated(z.enum(resourceNames).meta({ description: 'A resource', example: 'agents' }), {
    description: 'Filter by resource. Defaults to the resources you can change.',
    example: 'agents',
  }),
});
export type DeletedRecordQuery = z.output<typeof DeletedRecordQuery>;

export const DeletedRecordPage = pageOf(DeletedRecord, 'DeletedRecordPage');
