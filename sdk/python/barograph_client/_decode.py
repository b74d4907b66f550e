"""JSON as the dataclasses of models.py.

Unknown fields are ignored, unknown words are kept; what is missing, or is no time where one should be, is None.
"""

import keyword
import re
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Dict, List, Literal, Optional, Tuple, Type, TypeVar, Union, get_args, get_origin, get_type_hints

Record = TypeVar("Record")


@lru_cache(maxsize=None)
def _hints(record: Any) -> List[Tuple[str, Any]]:
    hints = get_type_hints(record)
    return [(field.name, hints[field.name]) for field in fields(record)]


def _field_name(name: str) -> str:
    plain = re.sub(r"\W", "_", name)
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def decode(record: Type[Record], value: Any) -> Record:
    """Raises ValueError where the value is no object."""
    if not isinstance(value, dict):
        raise ValueError(f"{record.__name__} is not an object")
    shape: Any = record
    by_name = {_field_name(key): item for key, item in value.items()}
    return record(**{name: _convert(hint, by_name.get(name)) for name, hint in _hints(shape)})


def _convert(hint: Any, value: Any) -> Any:
    if value is None:
        return None
    origin = get_origin(hint)
    if origin is Union:
        # A word is a Literal or any other text.
        return _convert(next(one for one in get_args(hint) if one is not type(None)), value)
    if origin is Literal:
        return value
    if origin in (list, List) and isinstance(value, list):
        return [_convert(get_args(hint)[0], one) for one in value]
    if origin in (dict, Dict) and isinstance(value, dict):
        return {key: _convert(get_args(hint)[1], one) for key, one in value.items()}
    if hint is datetime:
        return _time(value)
    return decode(hint, value) if is_dataclass(hint) and isinstance(hint, type) and isinstance(value, dict) else value


def _time(value: Any) -> Optional[datetime]:
    """Before Python 3.11 fromisoformat knows no Z."""
    try:
        found = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        return None
    return found if found.tzinfo is not None else None
