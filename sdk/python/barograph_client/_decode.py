"""JSON as the dataclasses of models.py. Unknown fields are ignored; a missing one is None."""

import re
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any, Dict, List, Tuple, Type, TypeVar, Union, get_args, get_origin, get_type_hints

Record = TypeVar("Record")


@lru_cache(maxsize=None)
def _hints(record: type) -> List[Tuple[str, Any]]:
    hints = get_type_hints(record)
    return [(field.name, hints[field.name]) for field in fields(record)]


def decode(record: Type[Record], value: Any) -> Record:
    """Raises ValueError where the value is no object."""
    if not isinstance(value, dict):
        raise ValueError(f"{record.__name__} is not an object")
    by_name = {re.sub(r"\W", "_", key): item for key, item in value.items()}
    return record(**{name: _convert(hint, by_name.get(name)) for name, hint in _hints(record)})


def _convert(hint: Any, value: Any) -> Any:
    if value is None:
        return None
    origin = get_origin(hint)
    if origin is Union:
        return _convert(next(one for one in get_args(hint) if one is not type(None)), value)
    if origin in (list, List) and isinstance(value, list):
        return [_convert(get_args(hint)[0], one) for one in value]
    if origin in (dict, Dict) and isinstance(value, dict):
        return {key: _convert(get_args(hint)[1], one) for key, one in value.items()}
    return decode(hint, value) if is_dataclass(hint) and isinstance(value, dict) else value
