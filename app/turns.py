"""Turns in the queues: those of an engine wait behind each other, and not behind all of another's.

This is start-time fair queuing (Goyal, Vin and Cheng, SIGCOMM 1996): what comes gets a number, one
behind the last of its own engine that waits, but not before the one whose turn it is. The lowest
number is next; of the same, who came first. procrastinate takes the highest priority first, so that
is the number with its sign turned.
"""

from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

ENGINE = "knowledge_engine_id"
"""The name under which the stored jobs have the engine whose turn they wait for."""

# Both are looked up in indexes, one of them of ENGINE as the statement writes it. What waits for a
# later attempt is not the one whose turn it is.
_NEXT = text(
    """
    SELECT least(
        coalesce(
            (SELECT max(priority) FROM procrastinate_jobs
             WHERE status = 'todo' AND task_name = :task
             AND (scheduled_at IS NULL OR scheduled_at <= now())),
            0
        ),
        (SELECT min(priority) - 1 FROM procrastinate_jobs
         WHERE status = 'todo' AND task_name = :task
         AND args ->> 'knowledge_engine_id' = :engine_id)
    )
    """
)


async def next_priority(session: AsyncSession, task: str, engine_id: str) -> int:
    """Return the priority of a job for a task that comes now, of this engine."""
    parameters = {"task": task, "engine_id": engine_id}
    found = await (await session.connection()).execute(_NEXT, parameters)
    return int(found.scalar_one())
